import { isSourceName } from '../accounts/account-rules.ts';
import type { Account } from '../accounts/accounts.ts';
import { type ContactLists, readListId } from '../audience/contact-lists.ts';
import type { Sources } from '../audience/sources.ts';
import { Refusal } from '../errors.ts';
import type { Links } from '../links/links.ts';
import { readLinks } from '../links/requested-links.ts';
import { displayNumber, type NumberReader } from '../numbers/numbers.ts';
import { readPhone } from '../numbers/read-phone.ts';
import { type Language, languageOf } from '../text/language.ts';
import { TimeSlice } from '../time-slices.ts';
import { type CallInput, callTypes } from './calls.ts';
import { lanes } from './lanes.ts';
import type { ListPart, ShipmentItem, ShipmentRequest } from './plan.ts';
import { removalReply } from './removal-reply.ts';
import { MAX_COMPOSED, TextRenderer, type TextTemplate, writeExample } from './text-template.ts';

/*
 * What every API that sends SMS checks (interface, B1 and B2), each check with a code of its own. A refusal names the field
 * of `SendInput` or `SendTerms`; an API translates it into its own name (interfaces/field-names.ts).
 */

// More in one request would hold everyone else up for longer than the 250 ms that a single message may wait.
export const MAX_PHONES = 100_000;
export const MAX_LISTS = 1_000;
export const MAX_MESSAGE = 1_005;
export const MAX_SOURCE = 11;
/** Characters of a sender as it is given: a number is brought to its local spelling before it is measured. */
export const MAX_GIVEN_SOURCE = 30;
export const MAX_CAMPAIGN_NAME = 50;
// The interface sets no bounds for these two. An id is indexed; a tag adds to the text that is charged for.
export const MAX_EXTERNAL_ID = 255;
export const MAX_TAG = 20;
const MAX_RECENT_DAYS = 14;

/** Who sends, and what the checks look things up in. */
export interface SendContext {
  readonly services: {
    readonly contactLists: Pick<ContactLists, 'find'>;
    readonly sources: Pick<Sources, 'isApproved'>;
    readonly numbers: NumberReader;
    readonly links: Links;
    /** The word to reply for removal, by language. */
    readonly removalWord: (language: Language) => string;
    /** Whether a source must be verified or approved. */
    readonly verifySources: boolean;
  };
  /** The account that the send is for. */
  readonly account: Pick<Account, 'id' | 'suspended'>;
  /** The account that asks for it: this one, or its parent. */
  readonly caller: Pick<Account, 'suspended'>;
}

/** Throws Refusal `not-now` for an account that is suspended. */
export function checkMaySend({ account, caller }: Pick<SendContext, 'account' | 'caller'>): void {
  if (account.suspended || caller.suspended) throw new Refusal('not-now', 'the account is suspended');
}

/** The name of a campaign, or null. Throws Refusal `bad-message` for a long one. */
export function readCampaignName(value: string | undefined): string | null {
  if (value !== undefined && value.length > MAX_CAMPAIGN_NAME) {
    throw new Refusal('bad-message', `over ${MAX_CAMPAIGN_NAME} characters`, 'campaignName');
  }
  return value ?? null;
}

/** Days within which nobody gets a second message (interface, B1 `temp_bl`). Throws Refusal `bad-recent-days`. */
export function readRecentDays(value: string | undefined): number | null {
  if (value === undefined) return null;
  const days = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > MAX_RECENT_DAYS) {
    throw new Refusal('bad-recent-days', `must be 1 to ${MAX_RECENT_DAYS}`, 'recentDays');
  }
  return days;
}

/**
 * A sender as it is measured and sent: a number of the home country, in any of its spellings, in the local one, another
 * international one as its digits.
 */
function spellSource(value: string, numbers: Pick<NumberReader, 'parse'>): string {
  if (!/^\+?[\d\s().-]+$/.test(value)) return value;
  const number = numbers.parse(value);
  return number ? displayNumber(number.digits) : value;
}

/**
 * Checks how a sender is written, and returns it in the spelling in which it is sent. Throws Refusal `bad-field` (absent)
 * or `bad-source`.
 */
function readSourceForm(
  given: string | undefined,
  field: string,
  numbers: Pick<NumberReader, 'parse'>,
): string {
  if (given === undefined) throw new Refusal('bad-field', 'missing', field, { reason: 'missing' });
  if (given === '') throw new Refusal('bad-source', 'empty', field);
  const value = spellSource(given, numbers);
  if (value.length > MAX_SOURCE) throw new Refusal('bad-source', `over ${MAX_SOURCE} characters`, field);
  if (!/^[0-9A-Za-z]+$/.test(value))
    throw new Refusal('bad-source', 'only digits and English letters', field);
  return value;
}

/**
 * Checks a sender, and returns it in the spelling in which it is sent. A name that is approved for the account may have
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
  if (value === undefined) throw new Refusal('bad-field', 'missing', field, { reason: 'missing' });
  if (value === '') throw new Refusal('bad-message', 'empty', field);
  if (value.length > MAX_MESSAGE) throw new Refusal('bad-message', `over ${MAX_MESSAGE} characters`, field);
  return value;
}

/**
 * Finds the contact lists that a send goes to, each once. Throws Refusal `unknown-list` for one that the account does
 * not have, `bad-field` when there are too many.
 */
export async function readLists(
  ids: readonly string[],
  { services, account }: SendContext,
): Promise<ListPart['lists']> {
  if (ids.length === 0) return [];
  const wanted = [...new Set(ids.map(readListId))];
  if (wanted.length > MAX_LISTS)
    throw new Refusal('bad-field', `over ${MAX_LISTS} contact lists`, 'lists', {
      reason: 'too-many',
      params: { max: MAX_LISTS },
    });
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

/** One text of a send, as it will be written. */
export interface Words {
  /** With its tag, and with how to be removed by a reply. */
  readonly text: string;
  /** Undefined when all recipients get the same. */
  readonly template: TextTemplate | undefined;
}

/** A text as it is asked for. */
export interface TextInput {
  readonly message: string | undefined;
  /** Goes in front for programs that read codes. */
  readonly tag?: string | undefined;
  readonly links?: readonly { readonly id: string | undefined; readonly text: string }[] | undefined;
  /** Whether `[DYNAMIC_FIELD1]` to `6` stand for fields of the contact. */
  readonly dynamic: boolean;
  /** How a recipient can have themselves removed: by replying a word, or by a link. */
  readonly removal: 'reply' | 'link' | null;
}

/**
 * Checks a text with its links and says how it is written for each recipient. Throws Refusal `bad-field` (absent),
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

/** Puts the tag for verification-code readers in front: `#` makes `<#>`. Throws Refusal `bad-field` for a long one. */
function withTag(tag: string | undefined, message: string): string {
  if (tag !== undefined && tag.length > MAX_TAG) {
    throw new Refusal('bad-field', `over ${MAX_TAG} characters`, 'tag', {
      reason: 'too-long',
      params: { max: MAX_TAG },
    });
  }
  return tag === undefined ? message : `<${tag}> ${message}`;
}

/** The part of a send that is one text to contact lists. */
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

/** A phone as it is given, in any spelling, with the id that the caller asks for its report by. */
interface PhoneInput {
  readonly text: string;
  readonly id: string | undefined;
}

/**
 * Reads destinations, each number once, with the first of its ids. Throws Refusal `bad-destination`, or `bad-field`
 * when there is none and no contact in `lists` either.
 */
export async function readDestinations(
  phones: readonly PhoneInput[],
  context: Pick<SendContext, 'services'>,
  international: boolean,
  own: Pick<ShipmentItem, 'source' | 'text' | 'template'>,
  lists: ListPart['lists'],
): Promise<ShipmentItem[]> {
  if (phones.length > MAX_PHONES) {
    throw new Refusal('bad-field', `over ${MAX_PHONES} numbers, use several requests`, 'phones', {
      reason: 'too-many',
      params: { max: MAX_PHONES },
    });
  }
  if (phones.length === 0) {
    if (lists.length === 0) throw new Refusal('bad-field', 'missing', 'phones', { reason: 'missing' });
    if (lists.every(({ count }) => count === 0)) {
      throw new Refusal('bad-field', 'there is nobody in it', 'lists', { reason: 'nobody' });
    }
  }
  const items = new Map<string, ShipmentItem>();
  const slice = new TimeSlice();
  for (let i = 0; i < phones.length; i++) {
    if (slice.isOver) await slice.rest();
    const { text: number, id } = phones[i]!;
    const name = phones.length === 1 ? 'phones' : `phones[${i}]`;
    if (number === '') {
      if (phones.length === 1) throw new Refusal('bad-field', 'missing', name, { reason: 'missing' });
      throw new Refusal('bad-destination', 'empty', name);
    }
    const { digits } = readPhone(number, name, context, international);
    if (id !== undefined && id.length > MAX_EXTERNAL_ID) {
      throw new Refusal('bad-field', `over ${MAX_EXTERNAL_ID} characters`, `${name}.id`, {
        reason: 'too-long',
        params: { max: MAX_EXTERNAL_ID },
      });
    }
    if (!items.has(digits)) items.set(digits, { phone: digits, externalId: id ?? null, ...own });
  }
  return [...items.values()];
}

/** One text to phones and contact lists. */
interface SendInput {
  readonly text: TextInput;
  readonly phones: readonly PhoneInput[];
  /** Ids of contact lists. */
  readonly lists: readonly string[];
  /** Whether numbers of other countries may be among them. */
  readonly international: boolean;
  /** Reads how the text is said on the telephone; called once it is known that the text can be sent. */
  readonly readCall?: () => Promise<CallInput>;
}

/** What a send has beside its text and recipients. */
type SendTerms = Pick<
  ShipmentRequest,
  'accountId' | 'source' | 'campaignName' | 'dueAt' | 'recentDays' | 'rule'
>;

/**
 * One text to phones and contact lists (interface, B1) as a shipment to be accepted. Throws Refusal as the checks above,
 * and `bad-dynamic-fields`.
 */
export async function readSend(
  input: SendInput,
  terms: SendTerms,
  context: SendContext,
): Promise<ShipmentRequest> {
  const { text, phones, international } = input;
  const lists = await readLists(input.lists, context);
  if (text.dynamic && (phones.length > 0 || lists.length > 1)) {
    throw new Refusal('bad-dynamic-fields', 'takes one contact list and no single phones', 'dynamic');
  }
  const written = readWords(text, context);
  const call = await input.readCall?.();
  // Of what nobody reads there are no links to make.
  const words = call?.type === callTypes.callOnly ? spokenOnly(call.text, text.dynamic) : written;
  const own = { source: null, text: null, ...(words.template && { template: words.template }) };
  const items = await readDestinations(phones, context, international, own, lists);
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

/** What is written of a message that is only said: its contact's fields, for those who get it from a list. */
function spokenOnly(text: string, dynamic: boolean): Words {
  return { text, template: dynamic ? { text, links: [], dynamic, removal: false } : undefined };
}
