import type { TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Event, StatusCallback } from '../../engine/events/types.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import { signatureOf } from '../../protocols/http-carrier/twilio-signature.ts';
import type { Method, TwilioNumbers } from './numbers.ts';
import { accountSid, addressOf, messageSid, VERSION } from './resource.ts';

/** Name of the reader of answers (replies.ts). */
export const READER = 'twilio';

/** Values of a request that its reader needs. */
export interface RequestTerms {
  /** Address of the request, without the fields of a GET. */
  readonly url: string;
  /** The incoming number, E.164 digits. */
  readonly number: string;
  /** The sender of the incoming message. */
  readonly from: string;
  /** Number of messages that earlier answers have asked for. */
  readonly sent: number;
  /** Number of requests before this one. */
  readonly hops: number;
  /** Whether the request was sent in place of one that failed. */
  readonly isFallback: boolean;
}

/** A request about an incoming message. */
interface ApplicationRequest {
  readonly endpointId: number;
  /** Id of the incoming message. */
  readonly messageId: number;
  readonly at: number;
  readonly method: Method;
  readonly form: Readonly<Record<string, string>>;
  /** Key that signs it. */
  readonly secret: string;
  readonly terms: RequestTerms;
}

/** Returns the event that sends a request about an incoming message. */
export function requestEvent(request: ApplicationRequest): Event {
  const { endpointId, messageId, at, method, form, secret, terms } = request;
  const url = new URL(terms.url);
  url.hash = '';
  const body = new URLSearchParams(form).toString();
  // Twilio signs the fields of a GET as a part of its address.
  const signature =
    method === 'GET'
      ? signatureOf(secret, `${url.href}${url.search === '' ? '?' : '&'}${body}`, {})
      : signatureOf(secret, url.href, form);
  return {
    type: 'status.callback',
    at,
    data: {
      message_id: messageId,
      shipment_id: null,
      endpoint_id: endpointId,
      phone: terms.from,
      method,
      path: url.pathname + url.search,
      body,
      headers: ['x-twilio-signature', signature],
      expects: null,
      answer: {
        reader: READER,
        terms: {
          url: url.href,
          number: terms.number,
          from: terms.from,
          sent: String(terms.sent),
          hops: String(terms.hops),
          isFallback: String(terms.isFallback),
        },
      },
    },
  };
}

/** Returns the terms of a request. */
export function termsOf({ answer }: Pick<StatusCallback, 'answer'>): RequestTerms {
  const { url = '', number = '', from = '', sent, hops, isFallback } = answer!.terms;
  return { url, number, from, sent: Number(sent), hops: Number(hops), isFallback: isFallback === 'true' };
}

interface IncomingDeps extends Pick<Context, 'log'> {
  readonly numbers: NumberReader;
  readonly twilioNumbers: Pick<TwilioNumbers, 'applicationsOf'>;
  readonly events: Pick<Events, 'callbackEndpoints' | 'record'>;
}

/** Records the requests about incoming messages of an account, in the transaction that stores the messages. */
export async function recordRequests(
  tx: TransactionSql,
  accountId: number,
  events: readonly Event[],
  deps: IncomingDeps,
): Promise<void> {
  const requests: Event[] = [];
  const incoming = events.filter((event) => event.type === 'sms.incoming');
  const applications = await deps.twilioNumbers.applicationsOf(
    tx,
    accountId,
    incoming.map(({ data }) => data.destination),
  );
  for (const { at, data } of incoming) {
    const { message_id: messageId, source: from, destination: number, message } = data;
    const application = applications.get(number);
    if (!application) continue;
    const { smsUrl: url, smsMethod: method, secret } = application;
    try {
      const endpointId = await deps.events.callbackEndpoints.within(tx, accountId, url);
      const sid = messageSid(messageId);
      const form = {
        AccountSid: accountSid(accountId),
        ApiVersion: VERSION,
        Body: message.toWellFormed(),
        From: addressOf(from, deps.numbers),
        MessageSid: sid,
        NumMedia: '0',
        NumSegments: String(countParts(message)),
        SmsMessageSid: sid,
        SmsSid: sid,
        SmsStatus: 'received',
        To: addressOf(number, deps.numbers),
      };
      const terms = { url, number, from, sent: 0, hops: 0, isFallback: false };
      requests.push(requestEvent({ endpointId, messageId, at, method, form, secret, terms }));
    } catch (error) {
      // The message itself must be stored. Its account sees that the host is missing among its endpoints.
      if (!(error instanceof Refusal)) throw error;
      deps.log.warn({ account: accountId, reason: error.message }, 'application of a number not called');
    }
  }
  if (requests.length > 0) await deps.events.record(tx, accountId, requests);
}
