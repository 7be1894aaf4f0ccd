import { z } from 'zod';
import { dailyWork, operatorChanges, operatorReads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { field, oneOf, rowsAnswer, text, textUpTo, whole } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { Clock } from '../../../kit/clock.ts';
import { faultReasons } from '../../../kit/connector-faults.ts';
import { badField } from '../../../kit/errors.ts';
import { voices } from '../../../kit/text/voices.ts';
import { mapInSlices } from '../../../kit/time-slices.ts';
import { compileAnswer, type Verdict } from '../../../protocols/http-carrier/answer.ts';
import { compileResults } from '../../../protocols/http-carrier/batch.ts';
import { callReader } from '../../../protocols/http-carrier/call.ts';
import type { HttpDescription } from '../../../protocols/http-carrier/description.ts';
import { CarrierDocument } from '../../../protocols/http-carrier/document.ts';
import { pollKinds } from '../../../protocols/http-carrier/poll-settings.ts';
import {
  previewPolls,
  previewRequest,
  type RequestPreview,
} from '../../../protocols/http-carrier/preview.ts';
import { readyNames } from '../../../protocols/http-carrier/providers.ts';
import { compileNotices } from '../../../protocols/http-carrier/reports.ts';
import { carrierDescription, httpCarrierSettings, usesOf } from '../../../protocols/http-carrier/settings.ts';
import { DescriptionError } from '../../../protocols/http-carrier/template.ts';
import type { RunSettings } from '../../../run/run-settings.ts';
import { REPEAT } from '../../messages/call-request.ts';
import { refusalOf } from '../http-connectors.ts';
import type { CarrierNetwork } from '../network.ts';
import { descriptionInput, secretsInput } from './http-fields.ts';

const MAX_BODY = 64 * 1024;
/** Name in the addresses of a description that no connector has. */
const NO_NAME = 'preview';
/** A valid secret of the path. Previews do not contain it. */
const ANY_PATH_SECRET = 'x'.repeat(24);
/** Message of the preview: its id, and the milliseconds that it is valid. */
const SAMPLE_ID = 1_774_337_460_000_051;
const SAMPLE_VALIDITY_MS = 86_400_000;
/** Caller number of calls of a description that no connector has. */
const SAMPLE_CALLER = '97237654321';

const headers = field(
  z.record(z.string(), textUpTo(4_000), 'must be an object').default({}),
  'Headers, with names in lower case.',
  { 'content-type': 'application/json' },
);
const recordedBody = (example: string) => field(textUpTo(MAX_BODY).default(''), 'Body.', example);
const previewBody = z.object({
  connector: textUpTo(40).optional().meta({
    description: 'Name of an HTTP connector whose description is used. Give either this or `description`.',
    examples: [],
  }),
  description: field(
    descriptionInput.optional(),
    'Name of a ready description, or an object. It is read completely.',
    'twilio',
  ),
  secrets: field(
    secretsInput.optional(),
    'Values of secrets. If given, they are checked as for a new connector.',
    { account: 'AC0123456789', token: 'secret12' },
  ),
  to: field(
    text.regex(/^\+?\d{5,15}$/, 'must be digits').default('972501234567'),
    'Recipient.',
    '+972501234567',
  ),
  from: field(
    textUpTo(20).default('Shop'),
    'Sender: digits or a name. A call uses the caller number of `connector`.',
    'Shop',
  ),
  text: field(textUpTo(2_000).default('Hello'), 'Text of the message.', 'Your order is ready'),
  answer: z
    .object({
      status: field(whole(100, 599), 'HTTP status.', 201),
      headers,
      body: recordedBody('{"sid":"SM0123456789","num_segments":"1"}'),
    })
    .optional()
    .describe('Recorded answer of the provider.'),
  request: z
    .object({
      kind: field(oneOf(['reports', 'incoming']), 'Address at which the provider sent it.', 'reports'),
      query: field(textUpTo(4_000).default(''), 'Query of the address, without `?`.', ''),
      headers,
      body: recordedBody('MessageSid=SM0123456789&MessageStatus=delivered'),
    })
    .optional()
    .describe('Recorded request of the provider. Its signature is not verified.'),
});

const outcomes = ['accepted', 'refused', 'throttled', 'again', 'unknown'] as const;
const verdictAnswer = z.object({
  outcome: out.oneOf(outcomes, '`then` of the rule that matches; `unknown` without one.', 'accepted'),
  ids: out.texts('Message ids of the provider.', ['SM0123456789']),
  code: out.maybeText('Code that would be stored with the message.', null),
  status: out.maybeCount('Delivery status of a refused message.', null),
  after_ms: out.maybeCount('Requested wait in milliseconds.', null),
  fault: out.maybeOneOf(faultReasons, 'Reason why the provider accepts nothing.', null),
  parts: out.maybeCount('Parts that the provider counted.', 1),
  price: answered(z.number().nullable(), 'Price that the provider told.', null),
});
const reportAnswer = z.object({
  carrier_id: out.text('Message id of the provider.', 'SM0123456789'),
  status: out.count('Delivery status; -1 while the message is under way.', 102),
  code: out.text('Code that would be stored with the message.', 'delivered'),
  destination: out.text('Recipient, digits; empty if the report does not name it.', ''),
  is_refunded: out.flag('Whether the message is refunded, because nobody answered a call.', false),
});
const incomingAnswer = z.object({
  from: out.text('Sender.', '972501234567'),
  to: out.text('Number that received the message.', '97237654321'),
  text: out.text('Text of the message.', 'Opening hours on Friday'),
});
const noticeAnswer = z.object({
  reports: z.array(reportAnswer).describe('Delivery reports.'),
  incoming: z.array(incomingAnswer).describe('Incoming messages.'),
  unreadable: out.count('Items that look like reports or messages and could not be read.', 0),
});
const shownRequest = z.object({
  method: out.text('Method.', 'POST'),
  url: out.text('Address.', 'https://api.twilio.com/2010-04-01/Accounts/***/Messages.json'),
  headers: z
    .array(z.object({ name: out.text('Name.', 'authorization'), value: out.text('Value.', 'Basic ***') }))
    .describe('Headers.'),
  body: out.maybeText('Body; null: none.', 'To=%2B972501234567&From=Shop&Body=Your+order+is+ready'),
});
const previewAnswer = z.object({
  request: shownRequest,
  polls: z
    .array(shownRequest.extend({ kind: out.oneOf(pollKinds, 'What the request asks for.', 'reports') }))
    .describe('First requests for reports and incoming messages, if the provider is polled.'),
  verdict: verdictAnswer
    .nullable()
    .describe('Meaning of `answer`; null without one, and if it has results of a batch.'),
  results: z
    .array(
      verdictAnswer.extend({
        ref: out.maybeText('Id of the message that the result names; null if results are in order.', null),
      }),
    )
    .describe('Meaning of each result of a batch in `answer`.'),
  notice: noticeAnswer.nullable().describe('Content of `request`; null without one.'),
});
const showVerdict = serializer(verdictAnswer);

const readyAnswer = z.object({
  name: out.text('Name of the description.', 'twilio'),
  title: out.text('Provider and interface.', 'Twilio Programmable Messaging'),
  channel: out.oneOf(['sms', 'voice'], 'Channel: SMS or calls.', 'sms'),
  secret_names: out.texts('Names of its secrets.', ['account', 'token']),
});

interface HttpCarriersDeps extends Pick<RunSettings, 'pageBase'> {
  readonly network: Pick<CarrierNetwork, 'allHttpCarriers'>;
  readonly clock: Pick<Clock, 'now'>;
}

const route = resource<HttpCarriersDeps>('operator', {
  'the request and the samples of the caller, without secrets': [
    ...['carrier_id', 'destination', 'text', 'body', 'title', 'url', 'secret_names', 'ref'],
  ],
});

/** Descriptions of HTTP interfaces, for operators. */
export const httpCarrierRoutes = [
  route('GET /v1/operator/http-carriers', {
    access: operatorReads,
    operationId: 'listHttpCarriers',
    title: 'List ready descriptions',
    description: 'Lists the ready descriptions of HTTP interfaces, with the secrets that each needs.',
    answer: rowsAnswer('http_carriers', readyAnswer),
    handler: async () => ({
      http_carriers: readyNames.map((name) => {
        const description = carrierDescription.parse(name);
        const { needed } = usesOf(description, description.signature);
        return {
          name,
          title: description.title ?? name,
          channel: description.channel,
          secret_names: [...needed],
        };
      }),
    }),
  }),
  route('POST /v1/operator/http-carriers/try', {
    access: dailyWork(operatorChanges),
    operationId: 'previewHttpCarrier',
    title: 'Preview an HTTP carrier',
    description:
      'Reads a description completely, and returns the request that it makes of a sample message (two for a batch), with every secret masked. With a recorded answer or request of the provider, it also returns their meaning. Sends and stores nothing.',
    body: previewBody,
    answer: previewAnswer,
    handler: async ({ body: given, audit }, deps) => {
      const previewed = descriptionOf(given, deps);
      const { description, name } = previewed;
      audit({ kind: 'connectors', id: name });
      return {
        ...(await requestsOf(previewed, given, deps)),
        ...(await meaningOf(description, given.answer)),
        notice: given.request ? noticeOf(description, given.request) : null,
      };
    },
  }),
];

type Given = z.output<typeof previewBody>;

/** A description, with the name and the caller number of its connector. */
interface Previewed {
  readonly description: HttpDescription;
  readonly name: string;
  readonly callerId?: string | undefined;
}

/** Returns the description of a body, and the name of its connector. Throws Refusal `bad-field` with the path of a problem. */
function descriptionOf({ connector, description, secrets }: Given, { network }: HttpCarriersDeps): Previewed {
  if (connector !== undefined) {
    if (description !== undefined || secrets !== undefined)
      throw badField('connector', 'give either connector or description', 'repeated');
    const known = network.allHttpCarriers().find(({ name }) => name === connector);
    if (!known) throw badField('connector', 'no HTTP connector has this name', 'unknown');
    return known;
  }
  const read =
    secrets === undefined
      ? z.object({ description: carrierDescription }).safeParse({ description })
      : readWithSecrets(description, secrets);
  if (!read.success) throw refusalOf(read.error);
  return { description: read.data.description, name: NO_NAME, callerId: undefined };
}

/** Reads a description with secrets, as the one of a new connector. */
function readWithSecrets(description: unknown, secrets: Given['secrets']) {
  const settings = { name: NO_NAME, description, secrets, pathSecret: ANY_PATH_SECRET };
  const { channel } = carrierDescription.safeParse(description).data ?? {};
  return httpCarrierSettings.safeParse(
    channel === 'voice' ? { ...settings, callerId: SAMPLE_CALLER } : settings,
  );
}

/** Returns the sample message: an SMS, or a call with the caller number of the connector. */
function sampleOf({ description, callerId }: Previewed, { to, from, text: payload }: Given, now: number) {
  const message = {
    ...{ accountId: 0, id: SAMPLE_ID, source: from, destination: to.replace('+', ''), payload },
    validUntil: now + SAMPLE_VALIDITY_MS,
  };
  if (description.channel === 'sms') return message;
  const digits = from.replace(/\D/g, '');
  const caller = callerId ?? (digits === '' ? SAMPLE_CALLER : digits);
  const spoken = { ...message, payload: { text: payload, voice: voices[0], repeat: REPEAT } };
  const call = callReader({ description, callerId: caller })(spoken);
  if ('kind' in call)
    throw badField(
      'text',
      'the provider does not speak its language, or no words are left to speak',
      'wrong-format',
    );
  return call;
}

async function requestsOf(previewed: Previewed, given: Given, { clock, pageBase }: HttpCarriersDeps) {
  const now = clock.now();
  const { description, name } = previewed;
  const message = sampleOf(previewed, given, now);
  try {
    const messages = description.send.batch ? [message, { ...message, id: SAMPLE_ID + 1 }] : [message];
    const request = await previewRequest(description, messages, { name, publicUrl: pageBase(), now });
    const polls = await previewPolls(description, now);
    const copied = <T extends RequestPreview>(one: T) => ({ ...one, headers: [...one.headers] });
    return { request: copied(request), polls: polls.map(copied) };
  } catch (error) {
    if (error instanceof DescriptionError) throw badField('description', error.message, 'wrong-format');
    throw error;
  }
}

async function meaningOf(
  description: HttpDescription,
  answer: Given['answer'],
): Promise<Pick<z.output<typeof previewAnswer>, 'verdict' | 'results'>> {
  if (!answer) return { verdict: null, results: [] };
  const results = compileResults(description)?.(answer) ?? [];
  if (results.length === 0)
    return { verdict: verdictOf(compileAnswer(description)(answer, String(SAMPLE_ID))), results: [] };
  return {
    verdict: null,
    // The rules may have expressions.
    results: await mapInSlices(results, ({ ref = null, verdictFor }) => ({
      ...{ ref, ...verdictOf(verdictFor(ref ?? String(SAMPLE_ID))) },
    })),
  };
}

function verdictOf(verdict: Verdict): z.output<typeof verdictAnswer> {
  const nothing = { ids: [], code: null, status: null, afterMs: null, fault: null, parts: null, price: null };
  return showVerdict({ ...nothing, ...verdict, outcome: verdict.kind });
}

function noticeOf(
  description: HttpDescription,
  { kind, query, headers: fields, body }: NonNullable<Given['request']>,
): z.output<typeof noticeAnswer> {
  const document = new CarrierDocument({ headers: fields, query, body });
  const { receipts, incoming, unreadable } = compileNotices(description)(document, kind);
  return {
    reports: receipts.map(({ carrierId, isReversed = false, ...rest }) => ({
      ...{ carrier_id: carrierId, is_refunded: isReversed, ...rest },
    })),
    incoming: incoming.map(({ from, to, text: content }) => ({ from, to, text: content })),
    unreadable,
  };
}
