import { digitWords, keyWords } from './digit-words.ts';
import { type Language, languageOf } from './language.ts';

/** Numbers with at least this many digits are codes to write down, not quantities. */
const CODE_DIGITS = 4;
/** Codes longer than MAX_ALONE digits are read in groups of GROUP, as people dictate them. */
const MAX_ALONE = 4;
const GROUP = 3;
/**
 * Several groups of digits with dashes or spaces between them are one phone number from this total number of digits on.
 */
const PHONE_DIGITS = 7;

// Parts that make sense only in writing: addresses, and placeholders of short links and removal links.
const addresses = /(?:https?:\/\/|www\.)\S+|\[link-[^[\]]*\]/giu;
const unspoken =
  /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|[[\]<>{}|\\^~`_]/gu;
const invisible = /\p{Cf}|\p{Variation_Selector}|\u0640|\u20e3/gu;
const eastern = /[\u0660-\u0669\u06f0-\u06f9]/g;

// Order matters: an earlier pattern consumes the digits before later ones.
const patterns = new RegExp(
  [
    // 24/03/26, 24.03.2026, 2026-03-24, 12/03
    String.raw`(?<date>(?<![\d./-])(?:\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})|\d{1,2}-\d{1,2}-\d{4}|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/0[1-9]|0[1-9]/\d{1,2}|(?:[12]\d|3[01])/1[0-2])(?![\d/-]|\.\d))`,
    // 09:30
    String.raw`(?<time>(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:]))`,
    // ₪1,250.90, 1250 ₪, 1,250, 12.50
    String.raw`(?<amount>[₪$€£]\s?\d[\d,]*(?:\.\d+)?|(?<![\d.+*#-])\d[\d,]*(?:\.\d+)?\s?[₪$€£%]|(?<![\d.,+*#-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,-])|(?<![\d.,+*#-])\d+\.\d+(?![\d.-]))`,
    // A7K-92B
    String.raw`(?<mixed>(?<![\p{L}\d])(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]+(?:-[A-Z\d]+)*(?![\p{L}\d]))`,
    // +972 50-123-4567, 050-1234567, *2700, 1-800-222-333, 1234
    String.raw`(?<number>(?<![\d.,])[+*#]?\d+(?:[ -]\d+)*(?:[*#])?)`,
  ].join('|'),
  'gu',
);

/** A text to speak, and its language. */
interface Spoken {
  readonly text: string;
  readonly language: Language;
}

/**
 * Returns a text to be read aloud. Parts that make sense only in writing (addresses, symbols, emoji) are removed.
 * Codes, phone numbers and dates, which listeners write down, are spoken digit by digit, in words, with pauses between
 * groups. Amounts, times and small numbers stay numbers. Empty if no text is left.
 */
export function readAloud(text: string): Spoken {
  const language = languageOf(text);
  const plain = text
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(addresses, ' ')
    .replace(/[ \t\r]*\n\s*/g, (_whole, at: number, all: string) =>
      /[\p{L}\p{N}]$/u.test(all.slice(0, at)) ? '. ' : ' ',
    )
    .replace(unspoken, ' ')
    .replace(eastern, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(patterns, (...match) => spell(match.at(-1) as Found, language))
    .replace(/\s+/g, ' ')
    // Adds a pause after a number, unless the text has one.
    .replace(/ ?,? ?([.,;:!?])/g, '$1')
    .replace(/(,)(?=[\p{L}\d])/gu, '$1 ')
    .replace(/[\s,]+$/, '')
    .trim();
  return { text: /[\p{L}\p{N}]/u.test(plain) ? plain : '', language };
}

type Found = Readonly<Partial<Record<'date' | 'time' | 'amount' | 'mixed' | 'number', string>>>;

function spell({ date, time, amount, mixed, number }: Found, language: Language): string {
  if (date !== undefined) return ` ${dictate(date.split(/[/.-]/), language)},`;
  if (time !== undefined) return spellTime(time, language);
  // Some engines read a comma within a number as a pause, others as a decimal point.
  if (amount !== undefined) return amount.replaceAll(',', '');
  if (mixed !== undefined) return spellMixed(mixed, language);
  return spellNumber(number!, language);
}

/** The hour as a number; the minutes so that 9:05 differs from 9:50. */
function spellTime(time: string, language: Language): string {
  const [hour, minute] = time.split(':') as [string, string];
  const said = minute.startsWith('0')
    ? [...minute].map((digit) => digitWords[language][Number(digit)])
    : [minute];
  return `${Number(hour)} ${said.join(' ')}`;
}

/** Letters and digits one by one. Short ones, like B12, are spoken as words. */
function spellMixed(mixed: string, language: Language): string {
  const groups = mixed.split('-');
  if (mixed.replaceAll('-', '').length < CODE_DIGITS) return mixed.replaceAll('-', ' ');
  return ` ${dictate(groups, language)},`;
}

function spellNumber(number: string, language: Language): string {
  const begins = /^[+*#]/.exec(number)?.[0];
  const ends = number.length > 1 ? /[*#]$/.exec(number)?.[0] : undefined;
  const runs = number.replace(/[+*#]/g, '').split(/[ -]/);
  const total = runs.reduce((sum, run) => sum + run.length, 0);
  const isDialled = begins !== undefined || ends !== undefined;
  // Several small numbers in a row are not a phone number: "5 10 15".
  const isOne =
    runs.length === 1 || (total >= PHONE_DIGITS && (isDialled || runs.some((run) => run.length >= GROUP)));
  if (!isOne) return joinRuns(number, language);
  if (!isDialled && runs.length === 1 && !isToWrite(number)) return number;
  const groups = runs.flatMap((run) => cut(run));
  const keys = keyWords[language];
  const parts = [begins && keys[begins], dictate(groups, language), ends && keys[ends]];
  return ` ${parts.filter((part) => part !== undefined).join(', ')},`;
}

/** Adjacent numbers, each on its own; the characters between them stay. */
function joinRuns(number: string, language: Language): string {
  return number.replace(/\d+/g, (run) => (isToWrite(run) ? ` ${dictate(cut(run), language)},` : run));
}

const isToWrite = (digits: string) =>
  digits.length >= CODE_DIGITS || (digits.length > 1 && digits.startsWith('0'));

function cut(digits: string): string[] {
  if (digits.length <= MAX_ALONE) return [digits];
  const groups: string[] = [];
  for (let at = 0; at < digits.length; at += GROUP) groups.push(digits.slice(at, at + GROUP));
  // No group has one digit: 1234567 becomes 123 4567.
  if (groups.at(-1)!.length === 1) groups.push(groups.splice(-2).join(''));
  return groups;
}

/** Each character followed by a pause, with a longer one between groups. */
function dictate(groups: readonly string[], language: Language): string {
  return groups
    .map((group) =>
      [...group].map((sign) => (/\d/.test(sign) ? digitWords[language][Number(sign)] : sign)).join(', '),
    )
    .join('; ');
}
