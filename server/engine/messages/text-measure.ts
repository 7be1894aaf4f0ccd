import { countSeptets } from '../../kit/text/gsm0338.ts';
import { gsmAlone, gsmPart, segment, ucs2Alone, ucs2Part } from '../../kit/text/segmentation.ts';

/** Size of a text on the phone. */
export interface TextMeasure {
  readonly encoding: 'gsm7' | 'ucs2';
  readonly parts: number;
  /** In septets or UTF-16 units: the length, and how many more fit in the same number of parts. */
  readonly units: number;
  readonly unitsLeft: number;
}

/** Measures a text. */
export function measureText(text: string): TextMeasure {
  const { encoding, parts } = segment(text);
  const isGsm = encoding === 'gsm7';
  const units = isGsm ? countSeptets(text) : text.length;
  const [alone, each] = isGsm ? [gsmAlone, gsmPart] : [ucs2Alone, ucs2Part];
  const room = parts.length === 1 ? alone : parts.length * each;
  return { encoding, parts: parts.length, units, unitsLeft: Math.max(0, room - units) };
}
