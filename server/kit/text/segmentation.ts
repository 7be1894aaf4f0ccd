import { countSeptets, isBasicGsm, septetsOf } from './gsm0338.ts';

/**
 * Sizes of SMS parts (decisions, "Credit"): GSM 03.38 has 160 septets in a single part and 153 in each of several,
 * UCS-2 has 70 and 67 UTF-16 units. Six octets of each of several parts are its header (3GPP TS 23.040, 9.2.3.24.1).
 */
export const gsmAlone = 160;
export const gsmPart = 153;
export const ucs2Alone = 70;
export const ucs2Part = 67;

export interface Segments {
  readonly encoding: 'gsm7' | 'ucs2';
  /** At least one. Joined, they are the text. */
  readonly parts: readonly string[];
}

/**
 * Returns the number of parts of a text, which are charged. Never throws; an empty text has one part. Always equal to
 * `segment(text).parts.length`, and much cheaper.
 */
export function countParts(text: string): number {
  const { length } = text;
  if (isBasicGsm(text)) return length <= gsmAlone ? 1 : Math.ceil(length / gsmPart);
  const septets = countSeptets(text);
  if (septets === -1 ? length <= ucs2Alone : septets <= gsmAlone) return 1;
  let parts = 0;
  for (let at = 0; at < length; parts++) at = septets === -1 ? ucs2End(text, at) : gsmEnd(text, at);
  return parts;
}

/**
 * Splits a text into the parts to send. Never separates an extension character from its escape, or the halves of a
 * surrogate pair. Never throws: a lone surrogate is a unit of UCS-2 like any other.
 */
export function segment(text: string): Segments {
  const { length } = text;
  const septets = isBasicGsm(text) ? length : countSeptets(text);
  if (septets === -1) return segmentUcs2(text);
  if (septets <= gsmAlone) return { encoding: 'gsm7', parts: [text] };
  const parts: string[] = [];
  for (let at = 0; at < length; ) {
    const end = gsmEnd(text, at);
    parts.push(text.slice(at, end));
    at = end;
  }
  return { encoding: 'gsm7', parts };
}

/** Splits a text as UCS-2 even if GSM 03.38 could encode it: for networks with another alphabet. */
export function segmentUcs2(text: string): Segments {
  if (text.length <= ucs2Alone) return { encoding: 'ucs2', parts: [text] };
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = ucs2End(text, at);
    parts.push(text.slice(at, end));
    at = end;
  }
  return { encoding: 'ucs2', parts };
}

function gsmEnd(text: string, start: number): number {
  let room = gsmPart;
  let at = start;
  while (at < text.length) {
    room -= septetsOf(text.charCodeAt(at));
    if (room < 0) break;
    at++;
  }
  return at;
}

function ucs2End(text: string, start: number): number {
  const end = start + ucs2Part;
  if (end >= text.length) return text.length;
  const splitsPair = isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end));
  return splitsPair ? end - 1 : end;
}

const isHighSurrogate = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number) => (unit & 0xfc00) === 0xdc00;
