import { Refusal } from '../../errors.ts';
import type { ShipmentItem, ShipmentRequest } from '../../messages/plan.ts';
import { readPhone, readTime } from './fields.ts';
import type { Call } from './operation.ts';
import { done } from './status-codes.ts';
import type { AnswerFields } from './wire/encode.ts';
import {
  givenText,
  list,
  optionalElement,
  optionalText,
  optionalWhole,
  text,
  textWithId,
} from './wire/fields.ts';

/*
 * What `sms` and `bulk` have in common (interface, B1 and B2): the checks of their fields, each with its own status.
 */

// More in one request would hold everyone else up for longer than the 250 ms that a single message may wait.
const PHONES_MOST = 100_000;
const MESSAGE_MOST = 1_005;
const SOURCE_MOST = 11;
const CAMPAIGN_NAME_MOST = 50;
// The interface sets no bounds for these two. An id is indexed; a tag adds to the text that is charged for.
const EXTERNAL_ID_MOST = 255;
const TAG_MOST = 20;

export const destinations = optionalElement({ phone: list(textWithId), cl_id: list(text) });

/** Fields that both operations take beside their messages. */
export const shared = {
  timing: optionalText,
  add_unsubscribe: optionalText,
  temp_bl: optionalText,
  includes_international: optionalWhole(),
  campaign_name: optionalText,
};

export const message = { source: givenText, message: givenText };

interface SharedInput {
  timing?: string | undefined;
  add_unsubscribe?: string | undefined;
  temp_bl?: string | undefined;
  includes_international?: number | undefined;
  campaign_name?: string | undefined;
}

/** Reads the shared fields. Throws Refusal with the status of the first that cannot be used. */
export function readShared(
  input: SharedInput,
  call: Call,
): Pick<ShipmentRequest, 'accountId' | 'campaignName' | 'dueAt' | 'recentDays'> {
  if (call.account.suspended || call.caller.suspended)
    throw new Refusal('not-now', 'the account is suspended');
  const campaignName = input.campaign_name ?? null;
  if (campaignName !== null && campaignName.length > CAMPAIGN_NAME_MOST) {
    throw new Refusal('bad-message', `campaign_name: over ${CAMPAIGN_NAME_MOST} characters`);
  }
  // Any other value than these two means no (interface, B1).
  if (input.add_unsubscribe === '2' || input.add_unsubscribe === '3') {
    throw new Refusal(
      'not-allowed',
      'add_unsubscribe: removal links and replies are not offered by this service',
    );
  }
  return {
    accountId: call.account.id,
    campaignName,
    dueAt: input.timing === undefined ? null : readTime('timing', input.timing, call),
    recentDays: readRecentDays(input.temp_bl),
  };
}

function readRecentDays(value: string | undefined): number | null {
  if (value === undefined) return null;
  const days = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > 14) throw new Refusal('bad-recent-days', 'temp_bl: must be 1 to 14');
  return days;
}

/** Checks how a sender is written. Throws Refusal `bad-field` (absent) or `bad-source`. */
export function readSourceForm(value: string | undefined, field: string): string {
  if (value === undefined) throw new Refusal('bad-field', `${field}: missing`);
  if (value === '') throw new Refusal('bad-source', `${field}: empty`);
  if (value.length > SOURCE_MOST) throw new Refusal('bad-source', `${field}: over ${SOURCE_MOST} characters`);
  if (!/^[0-9A-Za-z]+$/.test(value))
    throw new Refusal('bad-source', `${field}: only digits and English letters`);
  return value;
}

/** Checks a sender. Throws Refusal `bad-field` (absent), `bad-source` or `source-not-verified`. */
export async function readSource(value: string | undefined, field: string, call: Call): Promise<string> {
  const source = readSourceForm(value, field);
  const { services, account } = call;
  if (services.verifySources && !(await services.sources.isApproved(account.id, source))) {
    throw new Refusal(
      'source-not-verified',
      `${field}: not a verified number or approved name of this account`,
    );
  }
  return source;
}

/** Checks a text. Throws Refusal `bad-field` (absent) or `bad-message`. */
export function readMessage(value: string | undefined, field: string): string {
  if (value === undefined) throw new Refusal('bad-field', `${field}: missing`);
  if (value === '') throw new Refusal('bad-message', `${field}: empty`);
  if (value.length > MESSAGE_MOST)
    throw new Refusal('bad-message', `${field}: over ${MESSAGE_MOST} characters`);
  return value;
}

interface DestinationsInput {
  phone: readonly { text: string; id: string | undefined }[];
  cl_id: readonly string[];
}

/**
 * Refuses contact lists as destinations: `unknown-list` for one that the account does not have, `not-allowed` for
 * others, since messages are sent to phones only.
 */
export async function refuseLists(ids: readonly string[], field: string, call: Call): Promise<void> {
  if (ids.length === 0) return;
  const numbers = ids.map(Number).filter(Number.isSafeInteger);
  const known = await call.services.contactLists.find(call.account.id, numbers);
  if (known.size < new Set(ids).size) throw new Refusal('unknown-list', `${field}: no such contact list`);
  throw new Refusal('not-allowed', `${field}: sending to contact lists is not offered by this service`);
}

/**
 * Reads destinations, each number once, with the first of its ids. Throws Refusal `bad-field` when there is none,
 * or `bad-destination`.
 */
export function readDestinations(
  input: DestinationsInput | undefined,
  field: string,
  call: Call,
  international: boolean,
  own: Pick<ShipmentItem, 'source' | 'text'>,
): ShipmentItem[] {
  const phones = input?.phone ?? [];
  if (phones.length > PHONES_MOST) {
    throw new Refusal('bad-field', `${field}.phone: over ${PHONES_MOST} numbers, use several requests`);
  }
  if (phones.length === 0) throw new Refusal('bad-field', `${field}.phone: missing`);
  const items = new Map<string, ShipmentItem>();
  for (let i = 0; i < phones.length; i++) {
    const { text: number, id } = phones[i]!;
    const name = phones.length === 1 ? `${field}.phone` : `${field}.phone[${i}]`;
    const { digits } = readPhone(number, name, call, international);
    if (id !== undefined && id.length > EXTERNAL_ID_MOST) {
      throw new Refusal('bad-field', `${name}.id: over ${EXTERNAL_ID_MOST} characters`);
    }
    if (!items.has(digits)) items.set(digits, { phone: digits, externalId: id ?? null, ...own });
  }
  return [...items.values()];
}

/** Puts the tag for verification-code readers in front: `#` makes `<#>`. Throws Refusal `bad-field` for a long one. */
export function withTag(tag: string | undefined, message: string): string {
  if (tag !== undefined && tag.length > TAG_MOST) {
    throw new Refusal('bad-field', `tag: over ${TAG_MOST} characters`);
  }
  return tag === undefined ? message : `<${tag}> ${message}`;
}

/** Accepts a shipment, or in a dry run makes the same checks; answers as both operations do. Throws Refusal. */
export async function send(request: ShipmentRequest, call: Call): Promise<AnswerFields> {
  const { acceptor, ids } = call.services;
  let shipmentId: number;
  if (call.dryRun) {
    await acceptor.check(request);
    shipmentId = ids.next();
  } else {
    shipmentId = await acceptor.accept(request);
  }
  return { status: done.accepted, message: 'SMS will be sent', shipment_id: String(shipmentId) };
}
