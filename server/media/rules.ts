/* What files of chat messages may be: kinds, sizes and types. */

/** The kinds of files that a chat message can be, as the platform names them. */
export const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/**
 * Why a file could not be stored:
 * - `too-large`: over the limit of its kind
 * - `wrong-type`: its content is of another kind than was told
 * - `damaged`: its content is not what the platform told of it
 * - `gone`: the platform does not have it any more, or never had
 * - `not-fetched`: the platform or the store did not answer in time
 * - `over-budget`: the budget `files` of the account has no room for it
 */
export type MediaProblem = 'too-large' | 'wrong-type' | 'damaged' | 'gone' | 'not-fetched' | 'over-budget';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of a file that a client sends, at most. The platform passes on up to 100 MB, whatever the kind. */
export const incomingLimits: Readonly<Record<MediaKind, number>> = {
  image: 32 * MIB,
  video: 100 * MIB,
  audio: 100 * MIB,
  document: 100 * MIB,
  sticker: 2 * MIB,
};

/** Bytes of a file that is sent to a client, at most: the platform's limits. */
export const outgoingLimits: Readonly<Record<MediaKind, number>> = {
  image: 5 * MIB,
  video: 16 * MIB,
  audio: 16 * MIB,
  document: 100 * MIB,
  sticker: 500 * KIB,
};

/** The largest upload there is. */
export const MAX_UPLOAD = outgoingLimits.document;

const oleTypes: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
};
const textTypes: Readonly<Record<string, string>> = { txt: 'text/plain', csv: 'text/csv' };
const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';

/** What the platform takes, by kind (its reference, "Supported media types"). */
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

/** What a browser shows without running anything of it. Everything else is only ever saved. */
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

/** What was found in a file. */
export interface Sniffed {
  /** By its first bytes and structure, without parameters; undefined for what has none, like a text. */
  readonly type: string | undefined;
  /** Whether it can be a text: UTF-8 without NUL. */
  readonly isText: boolean;
}

/** What was told of a file. */
interface Told {
  readonly kind: MediaKind;
  readonly fileName: string;
}

/** Names of types that have more than one, and sounds in containers that films use, too. */
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
 * The type of a file by its content; null when this is no file of the kind. What is told of a type never decides, but
 * for documents: a Word file of 2003 and an Excel file look alike, and texts have no mark at all, so there the ending
 * of the name tells.
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

/** Whether the platform takes files of this type as one of the kind. */
export const isSendable = (kind: MediaKind, type: string): boolean => outgoingTypes[kind].has(type);

/** What the platform takes as one of the kind, for people. */
export const sendableTypes = (kind: MediaKind): readonly string[] => [...outgoingTypes[kind]];

/** Whether a browser may show the file where it stands. */
export const isShown = (kind: MediaKind, type: string): boolean =>
  kind !== 'document' && shownTypes[kind].has(type);

function endingOf(fileName: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

const LONGEST_NAME = 240;

/** A file's name as it was told, without folders, control characters and what turns the direction of a text around. */
export function fileNameOf(told: string): string {
  const name = told.split(/[/\\]/).at(-1)!;
  return name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}

/** A SHA-256 in hexadecimal, of one that was told so or in base64; empty for what is neither. */
export function digestOf(told: string): string {
  if (/^[0-9a-f]{64}$/i.test(told)) return told.toLowerCase();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(told)) return '';
  return Buffer.from(told, 'base64').toString('hex');
}
