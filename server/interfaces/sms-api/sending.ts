import { z } from 'zod';
import { readListId } from '../../audience/contact-lists.ts';
import { Refusal, type RefusalCode } from '../../errors.ts';
import { readLinks } from '../../links/requested-links.ts';
import type { ListPart, ShipmentItem, ShipmentRequest } from '../../messages/plan.ts';
import { removalReply } from '../../messages/removal-reply.ts';
import { COMPOSED_MOST, Composer, type Wording, writeExample } from '../../messages/wording.ts';
import { languageOf } from '../../text/language.ts';
import { answered } from '../openapi/shown.ts';
import { answerOf } from './about.ts';
import { includesInternational, readPhone, readTime } from './fields.ts';
import type { Call } from './operation.ts';
import { done } from './status-codes.ts';
import type { AnswerFields } from './wire/encode.ts';
import {
  givenText,
  list,
  optionalElement,
  optionalText,
  type TextWithId,
  text,
  textWithId,
} from './wire/fields.ts';

/*
 * What `sms` and `bulk` have in common (interface, B1 and B2): the checks of their fields, each with its own status.
 */

// More in one request would hold everyone else up for longer than the 250 ms that a single message may wait.
const PHONES_MOST = 100_000;
const LISTS_MOST = 1_000;
export const MESSAGE_MOST = 1_005;
const SOURCE_MOST = 11;
const CAMPAIGN_NAME_MOST = 50;
// The interface sets no bounds for these two. An id is indexed; a tag adds to the text that is charged for.
const EXTERNAL_ID_MOST = 255;
export const TAG_MOST = 20;

export const destinations = optionalElement({
  phone: list(textWithId).meta({
    description:
      '`05xxxxxxxx`, `5xxxxxxxx` or international, each sent to once. `id` is yours, to ask for the delivery report with.',
    maxItems: PHONES_MOST,
  }),
  cl_id: list(text).meta({ description: 'Contact lists, by their ids.', maxItems: LISTS_MOST }),
}).describe('Where to: phones, contact lists, or both.');

export const links = optionalElement({
  link: list(textWithId).describe('An address; its `id` is what the message has in `[link-<id>]`.'),
}).describe('Links that are shortened, and whose clicks are counted.');

/** Fields that both operations take beside their messages. */
export const shared = {
  timing: optionalText.describe(
    'When to send, `dd/mm/yy hh:mm` in the time zone of the account; now when it is absent or past.',
  ),
  add_unsubscribe: optionalText.describe(
    '`3` adds a link to be removed by, `2` the words to reply for it; anything else adds nothing.',
  ),
  temp_bl: optionalText.describe(
    '`1` to `14`: leaves out who got a message of the account in the last that many days.',
  ),
  includes_international: includesInternational,
  campaign_name: optionalText.meta({
    description: 'Stands in reports; `cancel` takes it.',
    maxLength: CAMPAIGN_NAME_MOST,
  }),
};

export const message = {
  source: givenText.meta({
    description:
      'The sender: digits and English letters. A number must be a verified one of the account, a name an approved one.',
    maxLength: SOURCE_MOST,
  }),
  message: givenText.meta({ description: 'The text.', maxLength: MESSAGE_MOST }),
};

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
 * Finds the contact lists that a send goes to, each once. Throws Refusal `unknown-list` for one that the account does
 * not have, `bad-field` when there are too many.
 */
export async function readLists(
  ids: readonly string[],
  field: string,
  call: Call,
): Promise<ListPart['lists']> {
  if (ids.length === 0) return [];
  const wanted = [...new Set(ids.map(readListId))];
  if (wanted.length > LISTS_MOST)
    throw new Refusal('bad-field', `${field}: over ${LISTS_MOST} contact lists`);
  const known = await call.services.contactLists.find(
    call.account.id,
    wanted.filter((id) => id !== null),
  );
  return wanted.map((id) => {
    const list = id === null ? undefined : known.get(id);
    if (!list) throw new Refusal('unknown-list', `${field}: no such contact list`);
    return list;
  });
}

/** One text of a send, as it will be written. */
export interface Words {
  /** With its tag, and with how to be removed by a reply. */
  readonly text: string;
  /** Undefined when all recipients get the same. */
  readonly wording: Wording | undefined;
}

/**
 * Checks a text with its links and says how it is written for each recipient. Throws Refusal `bad-field` (absent),
 * `bad-message` or `bad-links`.
 */
export function readWords(
  given: {
    message: string | undefined;
    tag?: string | undefined;
    links?: { link: readonly TextWithId[] } | undefined;
    add_dynamic?: string | undefined;
  },
  unsubscribe: string | undefined,
  field: string,
  call: Call,
): Words {
  const { links: room, removalWord } = call.services;
  const message = readMessage(given.message, `${field}message`);
  const links =
    given.links || message.includes('[link-')
      ? readLinks(given.links?.link ?? [], `${field}links.link`, message)
      : [];
  let text = withTag(given.tag, message);
  // Any other value than 2 and 3 means no (interface, B1).
  if (unsubscribe === '2') {
    const language = languageOf(text);
    text += removalReply(language, removalWord(language));
  }
  const dynamic = given.add_dynamic === '1';
  const removal = unsubscribe === '3';
  if (links.length === 0 && !dynamic && !removal) return { text, wording: undefined };
  const wording = { text, links, dynamic, removal };
  if (writeExample(new Composer(wording), room, []).length > COMPOSED_MOST) {
    throw new Refusal('bad-message', `${field}message: over ${COMPOSED_MOST} characters with its links`);
  }
  return { text, wording };
}

/** The part of a send that is one text to contact lists. */
export function listPart(
  words: Words,
  source: string,
  lists: ListPart['lists'],
  items: readonly ShipmentItem[],
  international: boolean,
): ListPart {
  const wording = words.wording ?? { text: words.text, links: [], dynamic: false, removal: false };
  return { source, wording, lists, items, international };
}

/**
 * Reads destinations, each number once, with the first of its ids. Throws Refusal `bad-destination`, or `bad-field`
 * when there is none and no contact in `lists` either.
 */
export function readDestinations(
  input: DestinationsInput | undefined,
  field: string,
  call: Call,
  international: boolean,
  own: Pick<ShipmentItem, 'source' | 'text' | 'wording'>,
  lists: ListPart['lists'],
): ShipmentItem[] {
  const phones = input?.phone ?? [];
  if (phones.length > PHONES_MOST) {
    throw new Refusal('bad-field', `${field}.phone: over ${PHONES_MOST} numbers, use several requests`);
  }
  if (phones.length === 0) {
    if (lists.length === 0) throw new Refusal('bad-field', `${field}.phone: missing`);
    if (lists.every(({ count }) => count === 0)) {
      throw new Refusal('bad-field', `${field}.cl_id: there is nobody in it`);
    }
  }
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
function withTag(tag: string | undefined, message: string): string {
  if (tag !== undefined && tag.length > TAG_MOST) {
    throw new Refusal('bad-field', `tag: over ${TAG_MOST} characters`);
  }
  return tag === undefined ? message : `<${tag}> ${message}`;
}

/** The answer of `send`. */
export const sent = answerOf(
  {
    shipment_id: answered(
      z.string(),
      'The shipment: in reports, and as `campaign_id` of `cancel`.',
      '1774337460000001',
    ),
  },
  { message: 'SMS will be sent' },
);

/** Why `sms` and `bulk` may be refused. */
export const sendRefusals: readonly RefusalCode[] = [
  'no-credit',
  'not-now',
  'all-blocked',
  'bad-destination',
  'source-not-verified',
  'bad-recent-days',
  'all-filtered',
  'bad-links',
  'unknown-list',
  'bad-message',
  'bad-source',
];

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
