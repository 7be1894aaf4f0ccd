import { accountSuspended, badField, Refusal } from '../../kit/errors.ts';
import { displayNumber, type NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { readPhone } from '../../kit/numbers/read-phone.ts';
import { type Language, languageOf } from '../../kit/text/language.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import { isSourceName } from '../../modules/accounts/account-rules.ts';
import type { Account } from '../../modules/accounts/accounts.ts';
import { type ContactLists, readListId } from '../../modules/audience/contact-lists.ts';
import type { Sources } from '../../modules/audience/sources.ts';
import { readLinks } from '../links/requested-links.ts';
import type { ShortLinks } from '../links/short-links.ts';
import type { CallChecks } from './call-request.ts';
import { callTypes } from './calls.ts';
import { lanes } from './lanes.ts';
import type { ListPart, ShipmentItem, ShipmentRequest } from './plan.ts';
import { removalReply } from './removal-reply.ts';
import { MAX_COMPOSED, TextRenderer, type TextTemplate, writeExample } from './text-template.ts';

/*
 * Checks shared by all APIs that send SMS (interface, B1 and B2); each check has a separate code. A refusal names the
 * field of `SendInput` or `SendTerms`, which an API translates to its own name (api/field-names.ts).
 */

// A larger request would delay others by more than the 250 ms that a single message may wait.
export const MAX_PHONES = 100_000;
export const MAX_LISTS = 1_000;
export const MAX_MESSAGE = 1_005;
export const MAX_SOURCE = 11;
/**
 * Maximum characters of a sender as given. Numbers are converted to their local spelling before the final length check.
 */
export const MAX_GIVEN_SOURCE = 30;
export const MAX_CAMPAIGN_NAME = 50;
// The interface sets no limits for these two. An id is indexed; a tag adds to the text that is charged.
export const MAX_EXTERNAL_ID = 255;
export const MAX_TAG = 20;
const MAX_RECENT_DAYS = 14;

/** The sending account, and the services that the checks use. */
export interface SendContext {
  readonly services: {
    readonly contactLists: Pick<ContactLists, 'find'>;
    readonly sources: Pick<Sources, 'isApproved'>;
    readonly numbers: NumberReader;
    readonly links: ShortLinks;
    /** Returns the word to reply for removal, by language. */
    readonly removalWord: (language: Language) => string;
    /** Whether a source must be verified or approved. */
    readonly verifySources: boolean;
  };
  /** Account that sends. */
  readonly account: Pick<Account, 'id' | 'suspended'>;
  /** Account that requests it: the same, or its parent. */
  readonly caller: Pick<Account, 'suspended'>;
}

/** Throws Refusal `not-now` for a suspended account. */
export function checkMaySend({ account, caller }: Pick<SendContext, 'account' | 'caller'>): void {
  if (account.suspended || caller.suspended) throw accountSuspended();
}

/** Returns the name of a campaign, or null. Throws Refusal `bad-message` for a name that is too long. */
export function readCampaignName(value: string | undefined): string | null {
  if (value !== undefined && value.length > MAX_CAMPAIGN_NAME) {
    throw new Refusal('bad-message', `over ${MAX_CAMPAIGN_NAME} characters`, 'campaignName');
  }
  return value ?? null;
}

/**
 * Returns the number of days in which a recipient receives no second message (interface, B1 `temp_bl`). Throws Refusal
 * `bad-recent-days`.
 */
export function readRecentDays(value: string | undefined): number | null {
  if (value === undefined) return null;
  const days = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > MAX_RECENT_DAYS) {
    throw new Refusal('bad-recent-days', `must be 1 to ${MAX_RECENT_DAYS}`, 'recentDays');
  }
  return days;
}

/**
 * Returns a sender in the spelling that is measured and sent: numbers of the home country in local form, other
 * international numbers as digits.
 */
function spellSource(value: string, numbers: Pick<NumberReader, 'parse'>): string {
  if (!/^\+?[\d\s().-]+$/.test(value)) return value;
  const number = numbers.parse(value);
  return number ? displayNumber(number.digits) : value;
}

/**
 * Checks the form of a sender, and returns it in the spelling in which it is sent. Throws Refusal `bad-field` (absent)
 * or `bad-source`.
 */
function readSourceForm(
  given: string | undefined,
  field: string,
  numbers: Pick<NumberReader, 'parse'>,
): string {
  if (given === undefined) throw badField(field, 'missing', 'missing');
  if (given === '') throw new Refusal('bad-source', 'empty', field);
  const value = spellSource(given, numbers);
  if (value.length > MAX_SOURCE) throw new Refusal('bad-source', `over ${MAX_SOURCE} characters`, field);
  if (!/^[0-9A-Za-z]+$/.test(value))
    throw new Refusal('bad-source', 'only digits and English letters', field);
  return value;
}

/**
 * Checks a sender, and returns it in the spelling in which it is sent. A name approved for the account may contain
 * blanks, `_`, `-` and `.`. Throws Refusal `bad-field` (absent), `bad-source` or `source-not-verified`.
 */
export async function readSource(
  value: string | undefined,
  field: string,
  {
    services,
    account,
  }: { readonly services: Pick<SendContext['services'], 'sources' | 'verifySources' | 'numbers'> } & Pick<
    SendContext,
    'account'
  >,
): Promise<string> {
  const { sources, numbers } = services;
  const isName = value !== undefined && !/^[0-9A-Za-z]+$/.test(value) && isSourceName(value);
  if (isName && (await sources.isApproved(account.id, value))) return value;
  const source = readSourceForm(value, field, numbers);
  if (services.verifySources && !(await sources.isApproved(account.id, source))) {
    throw new Refusal('source-not-verified', 'not a verified number or approved name of this account', field);
  }
  return source;
}

/** Checks a text. Throws Refusal `bad-field` (absent) or `bad-message`. */
export function readMessage(value: string | undefined, field: string): string {
  if (value === undefined) throw badField(field, 'missing', 'missing');
  if (value === '') throw new Refusal('bad-message', 'empty', field);
  if (value.length > MAX_MESSAGE) throw new Refusal('bad-message', `over ${MAX_MESSAGE} characters`, field);
  return value;
}

/**
 * Returns the distinct contact lists of a send. Throws Refusal `unknown-list` for a list that the account does not
 * have, and `bad-field` for too many lists.
 */
export async function readLists(
  ids: readonly string[],
  { services, account }: SendContext,
): Promise<ListPart['lists']> {
  if (ids.length === 0) return noLists;
  const wanted = [...new Set(ids.map(readListId))];
  if (wanted.length > MAX_LISTS)
    throw badField('lists', `over ${MAX_LISTS} contact lists`, 'too-many', { max: MAX_LISTS });
  const known = await services.contactLists.find(
    account.id,
    wanted.filter((id) => id !== null),
  );
  return wanted.map((id) => {
    const list = id === null ? undefined : known.get(id);
    if (!list) throw new Refusal('unknown-list', 'no such contact list', 'lists');
    return list;
  });
}

const noLists: ListPart['lists'] = [];

/** One text of a send, ready for rendering. */
export interface Words {
  /** Including its tag and the text for removal by reply. */
  readonly text: string;
  /** Undefined when all recipients get the same text. */
  readonly template: TextTemplate | undefined;
}

/** A requested text. */
export interface TextInput {
  readonly message: string | undefined;
  /** Prefix for programs that read codes. */
  readonly tag?: string | undefined;
  readonly links?: readonly { readonly id: string | undefined; readonly text: string }[] | undefined;
  /** Whether `[DYNAMIC_FIELD1]` to `6` are placeholders for fields of the contact. */
  readonly dynamic: boolean;
  /** How recipients can unsubscribe: by replying a word, or by a link. */
  readonly removal: 'reply' | 'link' | null;
}

/**
 * Checks a text with its links, and returns how to render it for each recipient. Throws Refusal `bad-field` (absent),
 * `bad-message` or `bad-links`.
 */
export function readWords(input: TextInput, { services: { links: room, removalWord } }: SendContext): Words {
  const message = readMessage(input.message, 'message');
  const links =
    input.links || message.includes('[link-') ? readLinks(input.links ?? [], 'links', message) : [];
  let text = withTag(input.tag, message);
  if (input.removal === 'reply') {
    const language = languageOf(text);
    text += removalReply(language, removalWord(language));
  }
  const { dynamic } = input;
  const removal = input.removal === 'link';
  if (links.length === 0 && !dynamic && !removal) return { text, template: undefined };
  const template = { text, links, dynamic, removal };
  if (writeExample(new TextRenderer(template), room, []).length > MAX_COMPOSED) {
    throw new Refusal('bad-message', `over ${MAX_COMPOSED} characters with its links`, 'message');
  }
  return { text, template };
}

/**
 * Prepends the tag for programs that read codes: `#` becomes `<#>`. Throws Refusal `bad-field` for a tag that is too
 * long.
 */
function withTag(tag: string | undefined, message: string): string {
  if (tag !== undefined && tag.length > MAX_TAG) {
    throw badField('tag', `over ${MAX_TAG} characters`, 'too-long', { max: MAX_TAG });
  }
  return tag === undefined ? message : `<${tag}> ${message}`;
}

/** Returns the part of a send with one text to contact lists. */
export function listPart(
  words: Words,
  source: string,
  lists: ListPart['lists'],
  items: readonly ShipmentItem[],
  international: boolean,
): ListPart {
  const template = words.template ?? { text: words.text, links: [], dynamic: false, removal: false };
  return { source, template, lists, items, international };
}

/** A phone as given, in any spelling, and the caller's id for its report. */
interface PhoneInput {
  readonly text: string;
  readonly id: string | undefined;
}

/**
 * Parses destinations and removes duplicates, keeping the first id of a number. Throws Refusal `bad-destination`, or
 * `bad-field` when there are neither destinations nor contacts in `lists`.
 */
export async function readDestinations(
  phones: readonly PhoneInput[],
  context: Pick<SendContext, 'services'>,
  international: boolean,
  own: Pick<ShipmentItem, 'source' | 'text' | 'template'>,
  lists: ListPart['lists'],
): Promise<ShipmentItem[]> {
  if (phones.length > MAX_PHONES) {
    throw badField('phones', `over ${MAX_PHONES} numbers, use several requests`, 'too-many', {
      max: MAX_PHONES,
    });
  }
  if (phones.length === 0) {
    if (lists.length === 0) throw badField('phones', 'missing', 'missing');
    if (lists.every(({ count }) => count === 0)) {
      throw badField('lists', 'there is nobody in it', 'nobody');
    }
  }
  const items: ShipmentItem[] = [];
  const known = phones.length > 1 ? new Set<string>() : undefined;
  const slice = new TimeSlice();
  for (let i = 0; i < phones.length; i++) {
    if (slice.isOver) await slice.rest();
    const { text: number, id } = phones[i]!;
    const name = phones.length === 1 ? 'phones' : `phones[${i}]`;
    if (number === '') {
      if (phones.length === 1) throw badField(name, 'missing', 'missing');
      throw new Refusal('bad-destination', 'empty', name);
    }
    const { digits } = readPhone(number, name, context, international);
    if (id !== undefined && id.length > MAX_EXTERNAL_ID) {
      throw badField(`${name}.id`, `over ${MAX_EXTERNAL_ID} characters`, 'too-long', {
        max: MAX_EXTERNAL_ID,
      });
    }
    if (known?.has(digits)) continue;
    known?.add(digits);
    items.push({ phone: digits, externalId: id ?? null, ...own });
  }
  return items;
}

/** One text to phones and contact lists. */
interface SendInput {
  readonly text: TextInput;
  readonly phones: readonly PhoneInput[];
  /** Ids of contact lists. */
  readonly lists: readonly string[];
  /** Whether foreign numbers are allowed. */
  readonly international: boolean;
  /** Checks of calls. `readCall` runs after the checks of the text, `checkCalls` after those of the phones. */
  readonly calls?: CallChecks;
}

/** Properties of a send other than its text and recipients. */
type SendTerms = Pick<
  ShipmentRequest,
  'accountId' | 'source' | 'campaignName' | 'dueAt' | 'recentDays' | 'rule'
>;

/**
 * Converts one text to phones and contact lists (interface, B1) to a shipment request. Throws the Refusals of the
 * checks above, and `bad-dynamic-fields`.
 */
export async function readSend(
  input: SendInput,
  terms: SendTerms,
  context: SendContext,
): Promise<ShipmentRequest> {
  const { text, phones, international } = input;
  const lists = input.lists.length === 0 ? noLists : await readLists(input.lists, context);
  if (text.dynamic && (phones.length > 0 || lists.length > 1)) {
    throw new Refusal('bad-dynamic-fields', 'takes one contact list and no single phones', 'dynamic');
  }
  const written = readWords(text, context);
  const call = await input.calls?.readCall();
  // A text that is only spoken needs no links.
  const words = call?.type === callTypes.callOnly ? spokenOnly(call.text, text.dynamic) : written;
  const own = { source: null, text: null, ...(words.template && { template: words.template }) };
  const items = await readDestinations(phones, context, international, own, lists);
  if (items.length > 0) await input.calls?.checkCalls(items.map(({ phone }) => phone));
  return {
    ...terms,
    lane: items.length === 1 && lists.length === 0 ? lanes.single : lanes.bulk,
    text: words.text,
    items,
    international,
    ...(call && { call }),
    ...(lists.length > 0 && { lists: [listPart(words, terms.source, lists, items, international)] }),
  };
}

/** Returns the stored text of a message that is only spoken, with the fields of list contacts. */
function spokenOnly(text: string, dynamic: boolean): Words {
  return { text, template: dynamic ? { text, links: [], dynamic, removal: false } : undefined };
}
