import type { Within } from '../../engine/fallback/sender.ts';
import { MAX_CAMPAIGN_NAME } from '../../engine/messages/send-request.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { forEachInSlices } from '../../kit/time-slices.ts';
import { parseLocal } from '../../kit/time-zones.ts';
import type { ContactList } from '../../modules/audience/contact-lists.ts';
import { FIELDS } from '../../modules/audience/contact-rows.ts';
import type { TemplateFields } from '../../modules/conversations/reply-channel.ts';
import type { OwnHours, Transactional } from '../../modules/sending-policy/policy.ts';

/** A time from the caller: `dd/mm/yyyy hh:mm` in the account's time zone, or milliseconds since the epoch. */
type TimeInput = string | number;

/** The code of a coupon for all recipients, or the number of the dynamic field that contains it, as text. */
type CouponInput = { readonly code: string } | { readonly field: string };

/** Input of a campaign (interface, A3). Texts are trimmed; '' or undefined for missing ones. */
export interface CampaignRequest {
  readonly accountId: number;
  readonly source: string;
  /** In any spelling; invalid ones appear in the campaign's report. */
  readonly phones: readonly string[];
  /** Ids of contact lists. */
  readonly lists: readonly string[];
  /** `Template` in the interface. */
  readonly templateId: string;
  readonly name?: string;
  /** For each variable, `1` to `5`, the dynamic field with its value: the name of its column, or `dfN`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly headerLink?: string;
  /** Reads the start time, null for immediately. Called in its turn, because the first failing check is reported. */
  readonly readStart?: () => TimeInput | null;
  /** Reads the coupon; null: no coupon. Called in its turn. */
  readonly readCoupon?: () => CouponInput | null;
  readonly couponExpiration?: TimeInput;
  /** Rule of the campaign for the sending policy of the account, if any. */
  readonly rule?: OwnHours | Transactional | null;
  /** The shipment whose messages it replaces (engine/fallback). */
  readonly fallbackOf?: number;
  /** Called in the transaction that stores it, before that. */
  readonly within?: Within;
  /** The number of a dynamic field. */
  readonly websiteVariable?: string;
  readonly websiteVariable2?: string;
}

/** Sources of the values in a campaign's messages, as stored with the campaign. Fields are counted from 0. */
export interface CampaignMessage {
  /** Number of chunks of single phones. */
  readonly chunks: number;
  /** For each variable the index of its field in each list. */
  readonly variables: Readonly<Record<string, readonly number[]>>;
  readonly headerLink: string | null;
  readonly coupon: { readonly code: string } | { readonly field: number } | null;
  readonly couponExpiresAt: number | null;
  /** Fields for the first and the second website button. */
  readonly websites: readonly [number | null, number | null];
}

const MAX_UNUSABLE = 40;
/** Characters of an invalid number that are examined. */
const UNUSABLE_READ = 1_000;
const UNUSABLE = '?';
/** A value that is valid for texts, addresses and coupons. */
const EXAMPLE = Array.from({ length: FIELDS }, () => '1');

/**
 * Reads single phones of a request, without duplicates: E.164 digits, or for an invalid number its text after a
 * question mark. Many are read in slices.
 */
export async function readPhones(given: readonly string[], numbers: NumberReader): Promise<string[]> {
  const phones = new Set<string>();
  await forEachInSlices(given, (text) => {
    const phone = numbers.parse(text);
    if (phone) phones.add(phone.digits);
    else {
      // Without characters that could break the database or a report.
      const shown = text.slice(0, UNUSABLE_READ).replace(/\p{C}/gu, '').trim().slice(0, MAX_UNUSABLE);
      if (shown !== '') phones.add(UNUSABLE + shown);
    }
  });
  return [...phones];
}

/** Whether a result of `readPhones` is a phone number. */
export const isUsable = (phone: string): boolean => !phone.startsWith(UNUSABLE);

/** Returns the form of an invalid number among the phones of a campaign. */
export const unusable = (text: string): string => UNUSABLE + text;

/** Returns the original text of a result of `readPhones`. */
export const shownPhone = (phone: string): string => (isUsable(phone) ? phone : phone.slice(1));

/** Returns the campaign's name, or null. Throws Refusal `bad-field`. */
export function readName({ name = '' }: CampaignRequest): string | null {
  if (name.length > MAX_CAMPAIGN_NAME) {
    throw badField('name', `over ${MAX_CAMPAIGN_NAME} characters`, 'too-long', { max: MAX_CAMPAIGN_NAME });
  }
  return name === '' ? null : name;
}

/** Returns the start time in milliseconds since the epoch; null: immediately. Throws Refusal `bad-field`. */
export function readSchedule({ readStart }: CampaignRequest, now: number, zone: string): number | null {
  const start = readStart?.() ?? null;
  if (start === null) return null;
  const time = readTime(start, zone);
  if (time === null) throw badField('start', 'must be a time like 31/12/2026 23:59', 'not-a-time');
  return time > now ? time : null;
}

const readTime = (given: TimeInput, zone: string) =>
  typeof given === 'number' ? given : parseLocal(given, zone);

/**
 * Reads the sources of the messages' values. Headers for variables beyond the template's `variableCount` are ignored
 * (decisions, section 8). Throws Refusal for a field that no list has, or a field without any list.
 */
export function readMessage(
  request: CampaignRequest,
  lists: readonly ContactList[],
  { variableCount, chunks, zone }: { variableCount: number; chunks: number; zone: string },
): CampaignMessage {
  const { headerLink = '', websiteVariable = '', websiteVariable2 = '' } = request;
  const variables: Record<string, number[]> = {};
  for (const [variable, name] of Object.entries(request.variables ?? {})) {
    if (!/^[1-9]\d?$/.test(variable)) throw badVariables(`${variable} is no variable, they are 1 to 5`);
    if (Number(variable) > variableCount) continue;
    if (lists.length === 0) throw badVariables('single phones have no dynamic fields');
    variables[variable] = lists.map((list) => {
      const field = fieldOf(name, list);
      if (field === null) throw badVariables(`contact list ${list.id} has no field ${name}`);
      return field;
    });
  }
  const coupon = couponOf(request.readCoupon?.() ?? null, lists);
  const { couponExpiration = '' } = request;
  const couponExpiresAt = couponExpiration === '' ? null : readTime(couponExpiration, zone);
  if (couponExpiration !== '' && couponExpiresAt === null) {
    throw new Refusal('bad-coupon', 'must be a time like 31/12/2026 23:59', 'couponExpiration');
  }
  return {
    chunks,
    variables,
    headerLink: headerLink === '' ? null : headerLink,
    coupon,
    couponExpiresAt,
    websites: [
      readWebsite('websiteVariable', websiteVariable, lists),
      readWebsite('websiteVariable2', websiteVariable2, lists),
    ],
  };
}

/** Whether every recipient gets the same text. */
export function isShared({ variables, coupon, websites }: CampaignMessage): boolean {
  const personal = coupon !== null && 'field' in coupon;
  return !personal && Object.keys(variables).length === 0 && websites.every((field) => field === null);
}

/**
 * Returns the values of one recipient, whose dynamic fields (df1 to df6) come from the `listIndex`th list of the
 * campaign.
 */
export function valuesFor(
  message: CampaignMessage,
  listIndex: number,
  fields: readonly (string | null)[],
): TemplateFields {
  const { variables, headerLink, coupon, couponExpiresAt, websites } = message;
  const [website, website2] = websites.map((field) => (field === null ? undefined : (fields[field] ?? '')));
  return {
    variables: Object.fromEntries(
      Object.entries(variables).map(([variable, byList]) => [variable, fields[byList[listIndex]!] ?? '']),
    ),
    headerLink: headerLink ?? undefined,
    couponCode: coupon === null ? undefined : 'code' in coupon ? coupon.code : (fields[coupon.field] ?? ''),
    couponExpiration: couponExpiresAt ?? undefined,
    websiteVariable: website,
    websiteVariable2: website2,
  };
}

/** Returns values of a recipient with all fields set: a problem with these affects every recipient. */
export function exampleValues(message: CampaignMessage): TemplateFields {
  return valuesFor(message, 0, EXAMPLE);
}

function badVariables(problem: string): Refusal {
  return new Refusal('bad-variables', problem, 'variables');
}

/**
 * Returns the index of a list's field by name: that of a column, compared without case, or one that `numberedField`
 * reads.
 */
function fieldOf(name: string, list: ContactList): number | null {
  const wanted = name.trim().toLowerCase();
  // Unnamed fields have the name ''.
  if (wanted === '') return null;
  const column = list.columns.findIndex((title) => title.trim().toLowerCase() === wanted);
  return column >= 0 ? column : numberedField(wanted);
}

/** Parses `4`, `df4` or `שדה דינמי 4` (the name of unnamed columns elsewhere) as 3; null for other names. */
function numberedField(text: string): number | null {
  const digit = /^(?:df|שדה דינמי ?)?([1-6])$/i.exec(text)?.[1];
  return digit === undefined ? null : Number(digit) - 1;
}

function couponOf(given: CouponInput | null, lists: readonly ContactList[]): CampaignMessage['coupon'] {
  if (given === null || 'code' in given) return given;
  const field = numberedField(given.field);
  if (field === null) {
    throw new Refusal('bad-coupon', 'must be the number of a dynamic field, 1 to 6', 'couponCode');
  }
  if (lists.length === 0) {
    throw new Refusal('bad-coupon', 'single phones have no dynamic fields', 'couponCode');
  }
  return { field };
}

function readWebsite(name: string, text: string, lists: readonly ContactList[]): number | null {
  if (text === '') return null;
  const field = numberedField(text);
  if (field === null) {
    throw new Refusal('bad-website-variable', 'must be the number of a dynamic field, 1 to 6', name);
  }
  if (lists.length === 0) {
    throw new Refusal('bad-website-variable', 'single phones have no dynamic fields', name);
  }
  return field;
}
