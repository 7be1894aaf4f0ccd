/* Rules for files in chat messages: kinds, sizes and types. */

/** Kinds of files in chat messages, as the platform names them. */
export const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/**
 * Why a file could not be stored:
 * - `too-large`: over the limit of its kind
 * - `wrong-type`: its content is not of the declared kind
 * - `damaged`: its content does not match the digest of the platform
 * - `gone`: the platform does not have the file
 * - `not-fetched`: the platform or the store did not answer in time
 * - `over-budget`: the file would exceed the account's budget `files`
 */
export type MediaProblem = 'too-large' | 'wrong-type' | 'damaged' | 'gone' | 'not-fetched' | 'over-budget';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum bytes of a file from a client. The platform forwards up to 100 MB, whatever the kind. */
export const incomingLimits: Readonly<Record<MediaKind, number>> = {
  image: 32 * MIB,
  video: 100 * MIB,
  audio: 100 * MIB,
  document: 100 * MIB,
  sticker: 2 * MIB,
};

/** Maximum bytes of a file sent to a client: the platform's limits. */
export const outgoingLimits: Readonly<Record<MediaKind, number>> = {
  image: 5 * MIB,
  video: 16 * MIB,
  audio: 16 * MIB,
  document: 100 * MIB,
  sticker: 500 * KIB,
};

const oleTypes: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
};
const textTypes: Readonly<Record<string, string>> = { txt: 'text/plain', csv: 'text/csv' };
const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';

/** Types that the platform accepts, by kind (its reference, "Supported media types"). */
const outgoingTypes: Readonly<Record<MediaKind, ReadonlySet<string>>> = {
  image: new Set(['image/jpeg', 'image/png']),
  video: new Set(['video/mp4', 'video/3gpp']),
  audio: new Set(['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg']),
  document: new Set([
    'application/pdf',
    'text/plain',
    ...Object.values(oleTypes),
    ...['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(
      (type) => OPEN_XML + type,
    ),
  ]),
  sticker: new Set(['image/webp']),
};

/** Types that a browser displays without executing content. Files of other types are only offered as downloads. */
const shownTypes: Readonly<Record<Exclude<MediaKind, 'document'>, ReadonlySet<string>>> = {
  image: new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
  video: new Set(['video/mp4', 'video/3gpp', 'video/quicktime', 'video/webm']),
  audio: new Set([
    'audio/aac',
    'audio/amr',
    'audio/mpeg',
    'audio/mp4',
    'audio/ogg',
    'audio/wav',
    'audio/webm',
  ]),
  sticker: new Set(['image/webp', 'image/png']),
};

/** Properties detected from the content of a file. */
export interface Sniffed {
  /**
   * Type from the first bytes and the structure, without parameters; undefined for formats without a signature, such as
   * plain text.
   */
  readonly type: string | undefined;
  /** Whether the content is valid text: UTF-8 without NUL. */
  readonly isText: boolean;
}

/** Properties that the sender declared. */
interface Told {
  readonly kind: MediaKind;
  readonly fileName: string;
}

/** Aliases of types, and audio types for containers that are also used for video. */
const sameTypes: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/vnd.wave': 'audio/wav',
  'audio/opus': 'audio/ogg',
  'video/x-m4v': 'video/mp4',
  'image/apng': 'image/png',
};
const soundIn: Readonly<Record<string, string>> = {
  'video/mp4': 'audio/mp4',
  'video/webm': 'audio/webm',
  'video/ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
};

/**
 * Type of a file by its content; null when the content does not match the kind. A declared type is never trusted. Only for
 * documents the file name extension decides between types: a Word file of 2003 and an Excel file look alike, and text files
 * have no signature.
 */
export function typeOf({ kind, fileName }: Told, { type, isText }: Sniffed): string | null {
  const known = type === undefined ? undefined : (sameTypes[type] ?? type);
  if (kind === 'document') return documentType(endingOf(fileName), known, isText);
  if (known === undefined) return null;
  const own = kind === 'audio' ? (soundIn[known] ?? known) : known;
  return shownTypes[kind].has(own) ? own : null;
}

function documentType(ending: string, known: string | undefined, isText: boolean): string {
  if (known === 'application/x-cfb') return oleTypes[ending] ?? 'application/octet-stream';
  if (known !== undefined) return known;
  return isText ? (textTypes[ending] ?? 'text/plain') : 'application/octet-stream';
}

/** Whether the platform accepts files of this type as the kind. */
export const isSendable = (kind: MediaKind, type: string): boolean => outgoingTypes[kind].has(type);

/** Types that the platform accepts for the kind, for error messages. */
export const sendableTypes = (kind: MediaKind): readonly string[] => [...outgoingTypes[kind]];

/** Whether a browser may display the file inline. */
export const isShown = (kind: MediaKind, type: string): boolean =>
  kind !== 'document' && shownTypes[kind].has(type);

function endingOf(fileName: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

const LONGEST_NAME = 240;

/** Declared file name without folders, control characters and characters that reverse the text direction. */
export function fileNameOf(told: string): string {
  const name = told.split(/[/\\]/).at(-1)!;
  return name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}

/** SHA-256 in hexadecimal, from hexadecimal or base64; empty for any other value. */
export function digestOf(told: string): string {
  if (/^[0-9a-f]{64}$/i.test(told)) return told.toLowerCase();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(told)) return '';
  return Buffer.from(told, 'base64').toString('hex');
}
