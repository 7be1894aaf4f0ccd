import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { AskedCallback } from '../../engine/callbacks/format.ts';
import type { AnswerProblem, AnswerReader } from '../../engine/events/answers.ts';
import type { Answer, Failure } from '../../engine/events/attempt.ts';
import type { Event, StatusCallback } from '../../engine/events/types.ts';
import { searchMessages } from '../../engine/messages/search.ts';
import { checkMaySend } from '../../engine/messages/send-request.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import type { CoreContext } from '../../run/services.ts';
import { Form } from '../http-interfaces/form.ts';
import { acceptWith, type sendContextOf } from '../http-interfaces/interface-api.ts';
import { readShipment } from '../http-interfaces/shipment.ts';
import { errorOf } from './errors.ts';
import { type RequestTerms, requestEvent, termsOf } from './incoming.ts';
import type { Method, NumberApplication, TwilioNumbers } from './numbers.ts';
import { messageSid } from './resource.ts';
import { askedCallback } from './status-callback.ts';
import { type MessageVerb, readAnswer, TwimlError, type Verb } from './twiml.ts';

/** Maximum number of messages in the answers about one incoming message, as at Twilio. */
const MAX_REPLIES = 10;
/** Maximum number of requests after the first one about an incoming message. */
const MAX_HOPS = 10;

const TOO_MANY_REPLIES = '14109';
const TOO_MANY_REDIRECTS = '11215';
const INVALID_URL = '11100';
const TOO_LARGE = '11750';
const HTTP_FAILURE = '11200';
const NO_CONNECTION = '11205';

/** Refusals that pass: the request is repeated. */
const passing: readonly unknown[] = ['try-again', 'key-in-progress', 'too-fast'];

interface RepliesDeps
  extends Pick<
    CoreContext,
    'acceptor' | 'accounts' | 'clock' | 'events' | 'hourlyStatistics' | 'numbers' | 'sendKeys' | 'sql'
  > {
  readonly twilioNumbers: Pick<TwilioNumbers, 'applicationsOf'>;
  readonly sending: Parameters<typeof sendContextOf>[0];
}

/** A request whose answer is acted on. */
interface Asked {
  readonly accountId: number;
  readonly messageId: number;
  readonly terms: RequestTerms;
  /** Fields of every request about the message. */
  readonly form: Readonly<Record<string, string>>;
}

/**
 * Acts on the answers of applications to incoming messages: sends their messages, and follows their redirects by further
 * requests. A repeated request sends nothing twice: each message has a send key of the incoming message and its place.
 */
export class Replies implements AnswerReader {
  readonly #deps: RepliesDeps;

  constructor(deps: RepliesDeps) {
    this.#deps = deps;
  }

  async read(
    accountId: number,
    callback: StatusCallback,
    { contentType, body }: Answer,
  ): Promise<AnswerProblem | undefined> {
    let verbs: readonly Verb[];
    try {
      verbs = readAnswer(contentType, body);
    } catch (error) {
      if (!(error instanceof TwimlError)) throw error;
      return { error: `${error.code}: ${error.message}`, code: error.code, isActedOn: false };
    }
    return this.#act(verbs, askedBy(accountId, callback));
  }

  async instead(
    accountId: number,
    callback: StatusCallback,
    failure: Failure | null,
  ): Promise<Event | undefined> {
    const asked = askedBy(accountId, callback);
    const { terms } = asked;
    if (terms.isFallback) return undefined;
    const application = await this.#applicationOf(asked);
    const url = application?.smsFallbackUrl;
    if (!application || !url) return undefined;
    const fields = { ErrorCode: codeOf(failure), ErrorUrl: terms.url };
    const next = { ...terms, url, isFallback: true };
    const method = application.smsFallbackMethod;
    return this.#event(asked, application, { method, fields, next }).catch((error: unknown) => {
      // The fallback cannot be called, so the first address is called again.
      if (error instanceof Refusal) return undefined;
      throw error;
    });
  }

  /** Acts on the verbs. Returns the first problem, with the texts of all. */
  async #act(verbs: readonly Verb[], asked: Asked): Promise<AnswerProblem | undefined> {
    const problems: Pick<AnswerProblem, 'error' | 'code'>[] = [];
    const add = (code: string, problem: string) => problems.push({ code, error: `${code}: ${problem}` });
    let { sent } = asked.terms;
    for (const verb of verbs) {
      let next: { url: string; method: Method; fields: Record<string, string> } | undefined;
      if (verb.verb === 'redirect') next = { ...verb, fields: {} };
      else {
        if (sent === MAX_REPLIES) {
          add(TOO_MANY_REPLIES, `over ${MAX_REPLIES} messages about one incoming message`);
          break;
        }
        const place = sent++;
        const fields = await this.#send(verb, asked, place).catch((error: unknown) => {
          const { code, message } = refusedBy(error);
          add(code, `message ${place + 1}: ${message}`);
          return { MessageStatus: 'invalid' };
        });
        if (verb.action !== undefined) next = { url: verb.action, method: verb.method, fields };
      }
      if (!next) continue;
      const problem = await this.#follow(next, { ...asked, terms: { ...asked.terms, sent } });
      if (problem) add(...problem);
      break;
    }
    const [first] = problems;
    return first && { ...first, error: problems.map(({ error }) => error).join('; '), isActedOn: true };
  }

  /** Sends a message once. Returns the fields for its `action`. Throws Refusal. */
  async #send(verb: MessageVerb, asked: Asked, place: number): Promise<Record<string, string>> {
    const { accounts, acceptor, sendKeys, sending } = this.#deps;
    const { accountId, messageId, terms } = asked;
    const account = await accounts.byId(accountId);
    if (!account) throw new Refusal('not-found', 'the account was removed');
    const call = { account, caller: account };
    checkMaySend(call);
    if (verb.hasMedia) throw badField('Media', 'is not supported', 'wrong-format');
    const { to = terms.from, from = terms.number, body: text } = verb;
    const use = await sendKeys.use({
      accountId,
      key: `twilio-reply ${messageId} ${place}`,
      operation: 'twilio reply',
      content: { to, from, text },
      isSealed: false,
    });
    try {
      const { answer } = await sendKeys.perform(
        use,
        async () => {
          const send = { from, text, to: [to], dueAt: null, validityMs: undefined };
          const shipment = await readShipment(sending, call, send, (source) =>
            this.#callbackOf(verb, source, asked),
          );
          return acceptWith(acceptor, shipment, use);
        },
        { looksFirst: true },
      );
      const query = { shipmentId: Number(answer.shipment_id) };
      const { messages } = await searchMessages(this.#deps, accountId, query, null, 1);
      const sid = messages[0] && messageSid(messages[0].id);
      return { MessageStatus: 'queued', ...(sid && { MessageSid: sid, SmsSid: sid }) };
    } catch (error) {
      // An earlier answer to the same request has sent another message in this place.
      if (error instanceof Refusal && error.code === 'key-reused') return { MessageStatus: 'queued' };
      throw error;
    }
  }

  async #callbackOf(
    { statusCallback }: MessageVerb,
    source: string,
    asked: Asked,
  ): Promise<AskedCallback | undefined> {
    if (statusCallback === undefined) return undefined;
    const url = URL.parse(statusCallback, asked.terms.url)?.href ?? statusCallback;
    const secret = (await this.#applicationOf(asked))?.secret ?? null;
    return askedCallback(this.#deps, asked.accountId, { url, source, secret });
  }

  /** Records the next request. Returns the code and text of a problem, if it cannot be made. */
  async #follow(
    { url: text, method, fields }: { url: string; method: Method; fields: Record<string, string> },
    asked: Asked,
  ): Promise<[code: string, problem: string] | undefined> {
    const { sql, events } = this.#deps;
    const { accountId, terms } = asked;
    if (terms.hops === MAX_HOPS) return [TOO_MANY_REDIRECTS, `over ${MAX_HOPS} redirects`];
    const url = URL.parse(text, terms.url)?.href;
    if (url === undefined) return [INVALID_URL, 'the address of a redirect is not valid'];
    const application = await this.#applicationOf(asked);
    if (!application) return [INVALID_URL, 'the number has no SmsUrl any more'];
    try {
      const next = { ...terms, url, hops: terms.hops + 1 };
      const event = await this.#event(asked, application, { method, fields, next });
      await sql.begin((tx) => events.record(tx, accountId, [event]));
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return [INVALID_URL, error.problem];
      throw error;
    }
  }

  /** Returns a further request about the message. Throws Refusal for an address that cannot be called. */
  async #event(
    { accountId, messageId, form }: Asked,
    { secret }: NumberApplication,
    {
      method,
      fields,
      next,
    }: { readonly method: Method; readonly fields: Record<string, string>; readonly next: RequestTerms },
  ): Promise<Event> {
    const { events, clock } = this.#deps;
    const endpointId = await events.callbackEndpoints.of(accountId, next.url);
    return requestEvent({
      endpointId,
      messageId,
      at: clock.now(),
      method,
      form: { ...form, ...fields },
      secret,
      terms: next,
    });
  }

  async #applicationOf({ accountId, terms }: Asked): Promise<NumberApplication | undefined> {
    const { sql, twilioNumbers } = this.#deps;
    return (await twilioNumbers.applicationsOf(sql, accountId, [terms.number])).get(terms.number);
  }
}

function askedBy(accountId: number, { message_id: messageId, ...callback }: StatusCallback): Asked {
  const form = new Form(callback.body).entries.filter(([name]) => !ofOneRequest.includes(name));
  const sid = messageSid(messageId);
  return {
    accountId,
    messageId,
    terms: termsOf(callback),
    form: { ...Object.fromEntries(form), MessageSid: sid, SmsSid: sid },
  };
}

/** Fields that no later request has. */
const ofOneRequest: readonly string[] = ['MessageStatus', 'ErrorCode', 'ErrorUrl'];

/** Returns the error of a message that is not sent. Throws errors that pass. */
function refusedBy(error: unknown): { code: string; message: string } {
  if (!(error instanceof Refusal) || passing.includes(error.code) || isDatabaseTrouble(error)) throw error;
  const { code, message } = errorOf(error);
  return { code: String(code ?? error.code), message };
}

/** Returns Twilio's code of a failed request. */
function codeOf(failure: Failure | null): string {
  if (failure?.code !== undefined) return failure.code;
  if (failure?.reason === 'answer') return TOO_LARGE;
  return failure === null || failure.status === null ? NO_CONNECTION : HTTP_FAILURE;
}
