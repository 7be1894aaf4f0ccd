import { extensionTable, lockingTableOf, type ShiftTables, singleTableOf } from './gsm-languages.ts';

/**
 * The GSM 03.38 default alphabet with its extension table (3GPP TS 23.038, 6.2.1), and UCS-2.
 *
 * Septets are kept unpacked, one octet each, as SMPP carries them with data_coding 0.
 */

/** Index is the septet. 0x1B is the escape to the extension table. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

const escapeSeptet = 0x1b;

const absent = 0xff;
/** By UTF-16 unit: the septet, or 0x80 + the septet in the extension table, or `absent`. */
const septetOf = new Uint8Array(0x10000).fill(absent);
for (let septet = 0; septet < basic.length; septet++) {
  if (septet !== escapeSeptet) septetOf[basic.charCodeAt(septet)] = septet;
}
for (const [septet, character] of extensionTable) septetOf[character.charCodeAt(0)] = 0x80 | septet;

/** Character by septet after an escape. 23.038: an unknown one shows the character of the basic table. */
const extensionOf: ReadonlyMap<number, string> = new Map(extensionTable);

const inClass = (characters: string) => characters.replace(/[\\\]^-]/g, '\\$&');
const basicOnly = new RegExp(`^[${inClass(basic.replace('\u001b', ''))}]*$`);

/** Whether every character is in the basic table, so that the text has as many septets as characters. */
export function isBasicGsm(text: string): boolean {
  return basicOnly.test(text);
}

/** Returns the septets of one UTF-16 unit: 1, 2 (extension table), or 0 if GSM 03.38 does not have the character. */
export function septetsOf(unit: number): 0 | 1 | 2 {
  const septet = septetOf[unit]!;
  if (septet < 0x80) return 1;
  return septet === absent ? 0 : 2;
}

/** Returns the number of septets of a text, or -1 if a character is not in GSM 03.38. */
export function countSeptets(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const septet = septetOf[text.charCodeAt(i)]!;
    if (septet >= 0x80) {
      if (septet === absent) return -1;
      count++;
    }
  }
  return count;
}

/**
 * Writes the text as unpacked septets and returns the offset after them. The target must have room for two
 * octets a character. A character that GSM 03.38 does not have becomes a question mark.
 */
function writeGsm(text: string, target: Uint8Array, offset: number): number {
  let at = offset;
  for (let i = 0; i < text.length; i++) {
    const septet = septetOf[text.charCodeAt(i)]!;
    if (septet < 0x80) {
      target[at++] = septet;
    } else if (septet === absent) {
      target[at++] = 0x3f;
    } else {
      target[at++] = escapeSeptet;
      target[at++] = septet & 0x7f;
    }
  }
  return at;
}

/** Returns the text as unpacked septets, one octet each; see `writeGsm`. */
export function encodeGsm(text: string): Buffer {
  const target = Buffer.allocUnsafe(text.length * 2);
  return target.subarray(0, writeGsm(text, target, 0));
}

/**
 * Decodes unpacked septets, with these national language tables. Ignores the high bit of an octet. An escape at the end
 * is a space; a septet that a single shift table lacks shows the character of the main table (23.038, annex A.2).
 */
export function decodeGsm(octets: Uint8Array, shifts?: ShiftTables): string {
  const main = (shifts && lockingTableOf(shifts.locking)) ?? basic;
  const single = shifts && singleTableOf(shifts.single);
  const shifted = (septet: number) => {
    if (single) return single.get(septet) ?? (septet === escapeSeptet ? ' ' : main[septet]!);
    return extensionOf.get(septet) ?? (septet === escapeSeptet ? ' ' : main[septet]!);
  };
  let text = '';
  for (let i = 0; i < octets.length; i++) {
    const septet = octets[i]! & 0x7f;
    if (septet !== escapeSeptet) text += main[septet];
    else if (i + 1 < octets.length) text += shifted(octets[++i]! & 0x7f);
    else text += ' ';
  }
  return text;
}

/** Encodes a text as UTF-16BE, which SMPP calls UCS2 (data_coding 8). Lone surrogates stay as they are. */
export function encodeUcs2(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Decodes UTF-16BE. Ignores an odd octet at the end. */
export function decodeUcs2(octets: Uint8Array): string {
  const even = octets.length & ~1;
  return Buffer.from(octets.subarray(0, even)).swap16().toString('utf16le');
}
