import { areKnown, type ShiftTables } from './gsm-languages.ts';
import { decodeGsm, decodeUcs2 } from './gsm0338.ts';

/**
 * Character sets of incoming SMS. `gsm:1:3` is GSM 03.38 with the locking shift table of language 1 and the single
 * shift table of language 3 (gsm-languages.ts); `binary` is data, or an unsupported alphabet.
 */
export type Charset =
  | 'gsm'
  | `gsm:${number}:${number}`
  | 'latin1'
  | 'iso-8859-5'
  | 'iso-8859-8'
  | 'ucs2'
  | 'utf-8'
  | 'iso-2022-jp'
  | 'euc-kr'
  | 'binary';

const decoders = {
  'iso-8859-5': new TextDecoder('iso-8859-5'),
  'iso-8859-8': new TextDecoder('iso-8859-8'),
  'utf-8': new TextDecoder(),
};

/** Decoders that reject invalid sequences, because networks use these data_codings also for other purposes. */
const strictDecoders = {
  'iso-2022-jp': new TextDecoder('iso-2022-jp', { fatal: true }),
  'euc-kr': new TextDecoder('euc-kr', { fatal: true }),
};

const latin1Only = /^[\0-\xff]*$/;

/** Whether Latin-1 has every character of a text. */
export const isLatin1Text = (text: string): boolean => latin1Only.test(text);

/**
 * Decodes octets; null for `binary`, and for invalid sequences of an East Asian character set. Septets of `gsm` are
 * unpacked, one octet each. Never throws.
 */
export function decodeCharset(octets: Uint8Array, charset: Charset): string | null {
  switch (charset) {
    case 'gsm':
      return decodeGsm(octets);
    case 'latin1':
      return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1');
    case 'ucs2':
      return decodeUcs2(octets);
    case 'binary':
      return null;
    case 'iso-8859-5':
    case 'iso-8859-8':
    case 'utf-8':
      return decoders[charset].decode(octets);
    case 'iso-2022-jp':
    case 'euc-kr':
      return decodeStrictly(octets, charset);
    default: {
      const [locking, single] = charset.slice('gsm:'.length).split(':').map(Number);
      return decodeGsm(octets, { locking: locking!, single: single! });
    }
  }
}

function decodeStrictly(octets: Uint8Array, charset: keyof typeof strictDecoders): string | null {
  try {
    return strictDecoders[charset].decode(octets);
  } catch {
    return null;
  }
}

/** Returns GSM 03.38 with these tables; `binary` if one of them is unknown, so that the octets are kept. */
export function shiftedGsm({ locking, single }: ShiftTables): Charset {
  if (locking === 0 && single === 0) return 'gsm';
  return areKnown({ locking, single }) ? `gsm:${locking}:${single}` : 'binary';
}

/** Formats an unreadable message for reports and events: `binary(4): 48656C6C6F`, with its data coding. */
export function showBinary(octets: Uint8Array, dataCoding: number): string {
  return `binary(${dataCoding}): ${Buffer.from(octets).toString('hex').toUpperCase()}`;
}

/** One part of a long message, not yet decoded. */
export interface EncodedPart {
  /** From 1. */
  readonly sequence: number;
  readonly octets: Uint8Array;
  readonly charset: Charset;
  readonly dataCoding: number;
}

/** The octets of an unreadable message, and its data coding. */
export interface BinaryContent {
  readonly octets: Uint8Array;
  readonly dataCoding: number;
}

interface JoinedParts {
  readonly text: string;
  /** Set if a part is unreadable; `text` is then the result of `showBinary`. */
  readonly binary?: BinaryContent;
}

/**
 * Joins the parts of a long message into one text. Adjacent parts are joined before decoding, because phones split
 * between the halves of an emoji, or between an escape and its character. An unpaired surrogate becomes U+FFFD.
 */
export function joinParts(parts: readonly EncodedPart[]): JoinedParts {
  const sorted = parts.toSorted((a, b) => a.sequence - b.sequence);
  let text = '';
  for (let from = 0; from < sorted.length; ) {
    const { charset, sequence } = sorted[from]!;
    let to = from + 1;
    while (sorted[to]?.charset === charset && sorted[to]!.sequence === sequence + (to - from)) to++;
    const run = sorted.slice(from, to);
    const decoded = decodeCharset(Buffer.concat(run.map(({ octets }) => octets)), charset);
    if (decoded === null) return unreadable(sorted, run[0]!.dataCoding);
    text += decoded.toWellFormed();
    from = to;
  }
  return { text };
}

/** Returns the whole message as octets, if a part is unreadable. */
function unreadable(parts: readonly EncodedPart[], dataCoding: number): JoinedParts {
  const octets = Buffer.concat(parts.map((part) => part.octets));
  return { text: showBinary(octets, dataCoding), binary: { octets, dataCoding } };
}
