import type { FoundMessage } from '../../engine/messages/search.ts';
import { stateOf } from '../../engine/messages/states.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { CANCELLED, ownCodes, status } from '../../kit/statuses.ts';
import { formatAmount, parseAmount } from '../../modules/accounts/money.ts';
import { idOfSid, sidOf } from '../http-interfaces/ids.ts';
import type { PageInput } from './fields.ts';
import type { IncomingNumber } from './numbers.ts';

/** The version in paths and answers. */
export const VERSION = '2010-04-01';

/** The currency of no country (ISO 4217): prices are credits. */
const NO_CURRENCY = 'XXX';

/** Returns the sid of an account. */
export const accountSid = (accountId: number): string => sidOf('AC', accountId);
/** Returns the sid of a message. */
export const messageSid = (messageId: number): string => sidOf('SM', messageId);

/** Returns the sid of an incoming number: its digits are its id, so that it needs no other. */
const numberSid = (number: string): string => sidOf('PN', Number(number));
/** Returns the number of a sid; undefined for any other text. */
export const numberOfSid = (sid: string): string | undefined => idOfSid('PN', sid)?.toString();

/** Formats a number as E.164 with `+`. Names and short codes stay as they are. */
export function addressOf(value: string, numbers: Pick<NumberReader, 'parse'>): string {
  const number = /^\+?\d+$/.test(value) ? numbers.parse(value) : undefined;
  return number ? `+${number.digits}` : value;
}

/** A final status and its circumstances. */
interface Ended {
  readonly status: number;
  readonly code: string | null;
  readonly wasSubmitted: boolean;
}

/** Returns the status of a final message. */
export function finalStatusOf({ status: final, code, wasSubmitted }: Ended): string {
  if (final === status.delivered) return 'delivered';
  if (final === status.deleted && code === CANCELLED) return 'canceled';
  return wasSubmitted ? 'undelivered' : 'failed';
}

/** Error codes by our statuses. */
const errorCodes: ReadonlyMap<number, number> = new Map([
  [status.expired, 30003],
  [status.outOfCoverage, 30003],
  [status.blockedOnRequest, 30004],
  [status.noPermission, 30006],
  [status.rejected, 30007],
  [status.notLegal, 30007],
]);

const UNKNOWN_ERROR = 30008;
const VALIDITY_OVER = 30036;

/** Returns the error code of a failed message; null for one that has not failed. */
export function errorCodeOf(ended: Ended): number | null {
  if (!['undelivered', 'failed'].includes(finalStatusOf(ended))) return null;
  if (ended.code === ownCodes.expired || ended.code === ownCodes.validityOver) return VALIDITY_OVER;
  return errorCodes.get(ended.status) ?? UNKNOWN_ERROR;
}

/** `Sun, 29 Nov 2026 02:14:00 +0000` (RFC 2822). */
const dateOf = (at: number) => new Date(at).toUTCString().replace('GMT', '+0000');

/** A message to show, with its text. */
interface ShownMessage {
  readonly message: FoundMessage;
  readonly text: string | null;
  /** Time at which its shipment is due, in milliseconds since the epoch. */
  readonly dueAt: number;
  readonly now: number;
}

/** Returns the fields of a message. */
export function showMessage(
  accountId: number,
  { message, text, dueAt, now }: ShownMessage,
  numbers: Pick<NumberReader, 'parse'>,
) {
  const sid = messageSid(message.id);
  const account = accountSid(accountId);
  const uri = `/${VERSION}/Accounts/${account}/Messages/${sid}`;
  const { handed_at, final_at } = message;
  const ended = { status: message.status, code: message.code, wasSubmitted: handed_at !== null };
  const state = stateOf(message);
  const open = { waiting: dueAt > now ? 'scheduled' : 'queued', submitted: 'sent', read: 'read' } as const;
  const error = final_at === null ? null : errorCodeOf(ended);
  return {
    sid,
    account_sid: account,
    api_version: VERSION,
    messaging_service_sid: null,
    to: addressOf(message.recipient, numbers),
    from: addressOf(message.source, numbers),
    body: text ?? '',
    direction: 'outbound-api',
    status: state in open ? open[state as keyof typeof open] : finalStatusOf(ended),
    error_code: error,
    error_message: null,
    num_segments: String(message.parts),
    num_media: '0',
    price: `-${formatAmount(parseAmount(message.price))}`,
    price_unit: NO_CURRENCY,
    date_created: dateOf(timeOfId(message.id)),
    date_sent: handed_at === null ? null : dateOf(handed_at),
    date_updated: dateOf(final_at ?? handed_at ?? timeOfId(message.id)),
    uri: `${uri}.json`,
    subresource_uris: { media: `${uri}/Media.json` },
  };
}

/** Returns the fields of a page of a list. `next` is the token of the next page; null without one. */
export function pageFields(
  accountId: number,
  resource: 'Messages' | 'IncomingPhoneNumbers',
  { filters, pageSize, page, token }: PageInput,
  { count, next }: { readonly count: number; readonly next: string | null },
) {
  const address = (wanted: number, place: string | null | undefined) => {
    const query = new URLSearchParams([
      ...filters.map(([name, value]): [string, string] => [name, value]),
      ['PageSize', String(pageSize)],
      ['Page', String(wanted)],
      ...(place ? [['PageToken', place] as [string, string]] : []),
    ]);
    return `/${VERSION}/Accounts/${accountSid(accountId)}/${resource}.json?${query}`;
  };
  return {
    page,
    page_size: pageSize,
    start: page * pageSize,
    end: page * pageSize + Math.max(0, count - 1),
    uri: address(page, token),
    first_page_uri: address(0, null),
    next_page_uri: next === null ? null : address(page + 1, next),
    previous_page_uri: null,
  };
}

/** Returns the fields of an incoming number. */
export function showNumber(accountId: number, one: IncomingNumber) {
  const sid = numberSid(one.number);
  const account = accountSid(accountId);
  const uri = `/${VERSION}/Accounts/${account}/IncomingPhoneNumbers/${sid}`;
  const phone = `+${one.number}`;
  return {
    sid,
    account_sid: account,
    api_version: VERSION,
    friendly_name: one.friendlyName ?? phone,
    phone_number: phone,
    capabilities: { voice: false, sms: true, mms: false, fax: false },
    sms_url: one.smsUrl ?? '',
    sms_method: one.smsMethod,
    sms_fallback_url: one.smsFallbackUrl ?? '',
    sms_fallback_method: one.smsFallbackMethod,
    ...unsupportedOfNumbers,
    date_created: one.createdAt === null ? null : dateOf(one.createdAt),
    date_updated: one.changedAt === null ? null : dateOf(one.changedAt),
    uri: `${uri}.json`,
    subresource_uris: {},
  };
}

/** Fields of incoming numbers that this service has nothing for. */
const unsupportedOfNumbers = {
  address_requirements: 'none',
  address_sid: null,
  beta: false,
  bundle_sid: null,
  emergency_address_sid: null,
  emergency_address_status: 'unregistered',
  emergency_status: 'Inactive',
  identity_sid: null,
  origin: 'hosted',
  sms_application_sid: '',
  status: 'in-use',
  status_callback: '',
  status_callback_method: 'POST',
  trunk_sid: null,
  voice_application_sid: '',
  voice_caller_id_lookup: false,
  voice_fallback_method: 'POST',
  voice_fallback_url: '',
  voice_method: 'POST',
  voice_receive_mode: 'voice',
  voice_url: '',
} as const;
