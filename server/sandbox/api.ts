import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { displayNumber } from '../kit/numbers/phone-numbers.ts';
import { arrivalKinds, type LatestArrivals } from './arrivals.ts';
import { DEMO_CHAT_NUMBER } from './chat-demo.ts';
import type { SandboxChatPlatform } from './chat-platform/platform.ts';
import { isUserId } from './chat-platform/sends.ts';
import { type Endings, endings as knownEndings } from './endings.ts';
import type { Mailboxes } from './mail/mailboxes.ts';
import type { MailSink } from './mail/sink.ts';
import type { SandboxSmsc } from './smsc/smsc.ts';
import type { SandboxVoice } from './voice.ts';

interface SandboxApiDeps {
  readonly smsc: Pick<SandboxSmsc, 'phones' | 'sendFromPhone'>;
  readonly platform: Pick<
    SandboxChatPlatform,
    'phones' | 'files' | 'sendFromPhone' | 'pressButton' | 'sendFileFromPhone' | 'sendLocationFromPhone'
  >;
  readonly voice: Pick<SandboxVoice, 'list' | 'wav'> & {
    readonly exchange: Pick<SandboxVoice['exchange'], 'callIn'>;
  };
  readonly mailboxes: Pick<Mailboxes, 'list' | 'source'>;
  /** Answers an email (`MailSink.answer`). */
  readonly answerMail: MailSink['answer'];
  readonly arrivals: Pick<LatestArrivals, 'list'>;
  readonly endings: Pick<Endings, 'list' | 'choose'>;
  /** Returns the international digits of a number in any accepted spelling; null for anything else. */
  readonly normaliseNumber: (text: string) => string | null;
  /** Advances the sandbox's clock by milliseconds. Returns the new time. */
  readonly advance: (milliseconds: number) => Promise<number>;
}

/** A request rejected with 400 and `{"message"}`, which names the field. */
class BadRequest extends Error {}

/** Length of 255 parts in the alphabet with the shortest ones. */
const longestSms = 255 * 67;
const longestChat = 4_096;
const MAX_PHONE_FILE = 16 * 1024 * 1024;
const YEAR = 366 * 86_400;
const shortCode = /^[0-9]{3,6}$/;

const phone = z.union([z.string(), z.number().transform(String)]);
const id = z.string().min(1, 'is empty').max(500);
const text = (longest: number) => z.string().min(1, 'is empty').max(longest, `is over ${longest} characters`);
const smsBody = z.object({ to: phone, text: text(longestSms) });
const chatBody = z.object({ to: phone, body: text(longestChat), replyTo: id.optional() });
const locationBody = z.object({
  to: phone,
  location: z.object({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().max(1_000, 'is over 1000 characters').default(''),
  }),
});
const fileQuery = z.object({
  to: phone,
  type: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
  mime_type: z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,80}$/, 'is not a media type'),
  file_name: z.string().max(240, 'is over 240 characters').default(''),
  caption: z.string().max(1_024, 'is over 1024 characters').default(''),
  voice: z.enum(['true', 'false']).default('false'),
});
const pressBody = z.object({ to: phone, message: id, button: z.union([id, phone]) });
const callBody = z.object({ to: phone });
const arrivalsQuery = z.object({
  kind: z.enum(arrivalKinds).optional(),
  search: z
    .string()
    .max(255, 'is over 255 characters')
    .transform((typed) => typed.trim().toLowerCase())
    .optional(),
  after: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
/** Maximum characters of an answer to an email. */
const MAX_ANSWER = 20_000;
const endingBody = z.object({ number: phone, ending: z.enum(knownEndings).nullable() });
const answerBody = z.object({
  text: z.string().min(1).max(MAX_ANSWER),
  automatic: z.boolean().default(false),
});
const clockBody = z.object({ advance: z.number().min(0).max(YEAR) });

const problems = {
  'unknown-business': 'to is not a business number',
  'unknown-message': 'message is not the id of one that arrived there from that number',
  'unknown-button': 'button is neither the id nor the text of a button of that message',
} as const;

type OfPhone = { Params: { number: string } };

/**
 * The sandbox API (decisions, section 5), a Fastify plugin. Numbers are accepted in any spelling, times are ISO 8601.
 * - `GET /v1/sandbox`: tells that there is a sandbox; `{"chat_number"}`, the demo account's business number
 * - `GET /v1/sandbox/phones/:number`: `{"sms", "chat", "calls"}` received by a phone, oldest first
 * - `GET /v1/sandbox/handsets/:number`: `{"number", "received", "sent"}`, the same and what the phone itself sent
 * - `POST /v1/sandbox/phones/:number/sms` with `{"to", "text"}`: the phone sends an SMS; answers `{"id"}`
 * - `POST /v1/sandbox/phones/:number/chat` with `{"to", "body", "replyTo"?}` or `{"to", "message", "button"}`: the
 *   phone writes or presses a button; answers `{"id"}`, or `{"opened"}` for a button that opens, calls or copies
 * - `POST /v1/sandbox/phones/:number/chat` with `{"to", "location": {"latitude", "longitude", "name"?}}`: the phone
 *   sends a place
 * - `POST /v1/sandbox/phones/:number/files?to=&type=&mime_type=&file_name=&caption=&voice=` with a file of at most 16
 *   MiB: the phone sends it as a message of the type; answers `{"id"}`
 * - `GET /v1/sandbox/files/:id`: a file that a phone sent or received
 * - `POST /v1/sandbox/phones/:number/call` with `{"to"}`: the phone calls the service, which answers no call; answers
 *   `{"status"}`, the SIP status (603: declined)
 * - `GET /v1/sandbox/phones/:number/calls/:id.wav`: the audio that a phone heard in a call
 * - `GET /v1/sandbox/mailboxes/:address`: `{"mails"}` received there, oldest first
 * - `GET /v1/sandbox/mailboxes/:address/:id.eml`: the source of an email
 * - `POST /v1/sandbox/mailboxes/:address/:id/answers` with `{"text", "automatic"?}`: the reader, or a program, answers
 *   an email; answers `{"to"}`, the address of the answer
 * - `GET /v1/sandbox/arrivals?kind=&search=&after=&limit=`: `{"arrivals", "next"}`, the latest of all phones and
 *   mailboxes, newest first
 * - `GET /v1/sandbox/endings`: `{"endings": [{"number", "ending"}]}`, numbers that use another ending than their own
 * - `POST /v1/sandbox/endings` with `{"number", "ending"}`: sets the ending of a number; null restores its own
 * - `POST /v1/sandbox/clock` with `{"advance": seconds}`: advances the clock by at most a year; answers `{"now"}`
 */
export function sandboxApi(app: FastifyInstance, deps: SandboxApiDeps, done: () => void): void {
  const { normaliseNumber, mailboxes, answerMail, arrivals, endings, advance } = deps;
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof BadRequest)) throw error;
    return reply.code(400).send({ message: error.message });
  });
  const numberOf = (given: string, field: string) => {
    const number = normaliseNumber(given);
    if (number === null) throw new BadRequest(`${field} is not a phone number`);
    return number;
  };
  // A phone that hides its number is identified by its user id.
  const phoneOf = (given: string, field: string) =>
    field === 'number' && isUserId(given) ? given : numberOf(given, field);
  phoneRoutes(app, deps, phoneOf);
  fileRoutes(app, deps, phoneOf);

  app.get('/v1/sandbox', async () => ({ chat_number: displayNumber(DEMO_CHAT_NUMBER) }));

  app.get<{ Params: { address: string } }>('/v1/sandbox/mailboxes/:address', async ({ params }) => ({
    mails: await mailboxes.list(params.address),
  }));

  app.get<{ Params: { address: string; file: string } }>(
    '/v1/sandbox/mailboxes/:address/:file',
    async ({ params }, reply) => {
      const mailId = /^(.+)\.eml$/.exec(params.file)?.[1];
      const source = mailId === undefined ? undefined : mailboxes.source(params.address, mailId);
      if (!source) return reply.code(404).send({ message: 'there is no such mail' });
      // Not message/rfc822: a browser must save it, not show it as a document of this origin.
      return reply.type('application/octet-stream').send(source);
    },
  );

  app.post<{ Params: { address: string; id: string } }>(
    '/v1/sandbox/mailboxes/:address/:id/answers',
    async ({ params, body }, reply) => {
      const { text, automatic } = read(answerBody, body);
      const to = await answerMail(params.address, params.id, text, automatic).catch((error: unknown) => {
        throw new BadRequest(`nobody takes the answer: ${(error as Error).message}`);
      });
      return to === undefined ? reply.code(404).send({ message: 'there is no such mail' }) : { to };
    },
  );

  app.get('/v1/sandbox/arrivals', async ({ query }) => {
    const { after: before, ...asked } = read(arrivalsQuery, query);
    const { rows, next } = await arrivals.list({ ...asked, before });
    return { arrivals: rows, next: next === null ? null : String(next) };
  });

  const shownEndings = () => ({
    endings: endings.list().map(({ number, ending }) => ({ number: displayNumber(number), ending })),
  });
  app.get('/v1/sandbox/endings', async () => shownEndings());
  app.post('/v1/sandbox/endings', async ({ body }) => {
    const { number, ending } = read(endingBody, body);
    endings.choose(numberOf(number, 'number'), ending);
    return shownEndings();
  });

  app.post('/v1/sandbox/clock', async (request) => {
    const read = clockBody.safeParse(request.body);
    if (!read.success) throw new BadRequest(`advance: seconds, from 0 to ${YEAR}`);
    return { now: new Date(await advance(read.data.advance * 1_000)).toISOString() };
  });
  done();
}

/** @param numberOf returns the digits of a number; throws BadRequest with the name of the field for anything else */
function phoneRoutes(
  app: FastifyInstance,
  { smsc, platform, voice, normaliseNumber }: SandboxApiDeps,
  numberOf: (given: string, field: string) => string,
): void {
  // One spelling for each number joins its received and sent messages in one conversation.
  const shown = (peer: string) => {
    const number = normaliseNumber(peer);
    return number === null ? peer : displayNumber(number);
  };

  app.get<OfPhone>('/v1/sandbox/phones/:number', async ({ params }) => {
    const number = numberOf(params.number, 'number');
    return {
      sms: smsc.phones.list(number),
      chat: platform.phones.list(number),
      calls: voice.list(number),
    };
  });

  app.get<OfPhone>('/v1/sandbox/handsets/:number', async ({ params }) => {
    const number = numberOf(params.number, 'number');
    return {
      number: displayNumber(number),
      received: {
        sms: smsc.phones.list(number).map((sms) => ({ ...sms, from: shown(sms.from) })),
        chat: platform.phones.list(number).map((chat) => ({ ...chat, from: shown(chat.from) })),
        calls: voice.list(number).map((call) => ({ ...call, from: shown(call.from) })),
      },
      sent: {
        sms: smsc.phones.listSent(number).map((sms) => ({ ...sms, to: shown(sms.to) })),
        chat: platform.phones.listSent(number).map((chat) => ({ ...chat, to: shown(chat.to) })),
      },
    };
  });

  app.post<OfPhone>('/v1/sandbox/phones/:number/sms', async ({ params, body }) => {
    const from = numberOf(params.number, 'number');
    const { to, text } = read(smsBody, body);
    return smsc.sendFromPhone({ from, to: shortCode.test(to) ? to : numberOf(to, 'to'), text });
  });

  app.post<OfPhone>('/v1/sandbox/phones/:number/chat', async ({ params, body }) => {
    const from = numberOf(params.number, 'number');
    const has = (field: string) => typeof body === 'object' && body !== null && field in body;
    if (has('location')) {
      const { to, location } = read(locationBody, body);
      return done(platform.sendLocationFromPhone({ from, to: numberOf(to, 'to'), location }));
    }
    const given = has('button') ? read(pressBody, body) : read(chatBody, body);
    const message = { ...given, from, to: numberOf(given.to, 'to') };
    return done('button' in message ? platform.pressButton(message) : platform.sendFromPhone(message));
  });

  app.get<{ Params: { number: string; file: string } }>(
    '/v1/sandbox/phones/:number/calls/:file',
    async ({ params }, reply) => {
      const number = normaliseNumber(params.number);
      const callId = /^(.+)\.wav$/.exec(params.file)?.[1];
      const wav = number === null || callId === undefined ? undefined : voice.wav(number, callId);
      if (!wav) return reply.code(404).send({ message: 'there is no such call' });
      return reply.type('audio/wav').send(wav);
    },
  );

  app.post<OfPhone>('/v1/sandbox/phones/:number/call', async ({ params, body }, reply: FastifyReply) => {
    const from = numberOf(params.number, 'number');
    const given = callBody.safeParse(body);
    if (!given.success) throw new BadRequest('to: is missing');
    const to = numberOf(given.data.to, 'to');
    try {
      return { status: await voice.exchange.callIn(from, to) };
    } catch {
      return reply.code(503).send({ message: 'the exchange has not heard of the service yet, try again' });
    }
  });
}

/** Returns the result of a phone's action. Throws BadRequest when the action was impossible. */
function done<Action extends object>(action: Action | { readonly problem: keyof typeof problems }): Action {
  if ('problem' in action) throw new BadRequest(problems[action.problem]);
  return action;
}

/** Makes routes accept files as their bodies. */
export function takeFiles(app: FastifyInstance): FastifyInstance {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: MAX_PHONE_FILE } as const;
  app.addContentTypeParser('*', options, (_request, body, parsed) => parsed(null, body));
  return app;
}

/** Routes for files that phones send and receive. */
function fileRoutes(
  app: FastifyInstance,
  { platform }: SandboxApiDeps,
  numberOf: (given: string, field: string) => string,
): void {
  app.get<{ Params: { id: string } }>('/v1/sandbox/files/:id', async ({ params }, reply) => {
    const file = platform.files.get(params.id);
    if (!file) return reply.code(404).send({ message: 'there is no such file' });
    const isShown = /^(image\/(jpeg|png|gif|webp)|audio\/|video\/)/.test(file.mimeType);
    return reply
      .type(isShown ? file.mimeType : 'application/octet-stream')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(file.bytes);
  });
  app.register(async (own) => {
    takeFiles(own).post<OfPhone & { Body: Buffer | undefined }>(
      '/v1/sandbox/phones/:number/files',
      async ({ params, query, body }) => {
        const from = numberOf(params.number, 'number');
        const { to, type, mime_type: mimeType, file_name: fileName, caption, voice } = read(fileQuery, query);
        if (!Buffer.isBuffer(body) || body.length === 0) throw new BadRequest('body: is empty');
        const file = { type, bytes: body, mimeType, fileName, caption, voice: voice === 'true' };
        return done(platform.sendFileFromPhone({ from, to: numberOf(to, 'to'), ...file }));
      },
    );
  });
}

/** Validates a body by its schema. Throws BadRequest with the first fault and the name of its field. */
function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BadRequest(`${issue!.path.join('.') || 'body'}: ${issue!.message}`);
}
