/*
 * The national language shift tables of Bengali, Gujarati, Hindi, Kannada, Malayalam, Oriya, Punjabi, Tamil, Telugu and
 * Urdu (3GPP TS 23.038, annex A, languages 4 to 13). Unicode arranges the scripts of India in blocks with one layout,
 * and so do the tables: a language is the start of its block, plus its differences.
 */

/**
 * Septets 0x00 to 0x7F as positions in the block (two hexadecimal digits), or the character itself; `--` is the escape.
 */
const lockingLayout = [
  ...'01 02 03 05 06 07 08 09 0A 0B LF 0C 0D CR 0E 0F'.split(' '),
  ...'10 11 12 13 14 15 16 17 18 19 1A -- 1B 1C 1D 1E'.split(' '),
  ...'SP ! 1F 20 21 22 23 24 ) ( 25 26 , 27 . 28'.split(' '),
  ...'0 1 2 3 4 5 6 7 8 9 : ; 29 2A 2B ?'.split(' '),
  ...'2C 2D 2E 2F 30 31 32 33 34 35 36 37 38 39 3C 3D'.split(' '),
  ...'3E 3F 40 41 42 43 44 45 46 47 48 49 4A 4B 4C 4D'.split(' '),
];

const named: Readonly<Record<string, string>> = { LF: '\n', CR: '\r', SP: ' ', '--': '\u001b' };
/** A septet that a table does not assign. */
const UNASSIGNED = '\ufffd';

interface Script {
  /** First character of the Unicode block. */
  readonly start: number;
  /** Positions of the layout that the language does not have. */
  readonly without: string;
  /** Septet 0x60, and 0x7B to 0x7F, after the small letters. */
  readonly tail: string;
  /**
   * Septets from 0x19 on, except those that all single shift tables share: positions, characters of four digits, or
   * `..` for unassigned.
   */
  readonly single: string;
}

const digits = '66 67 68 69 6A 6B 6C 6D 6E 6F';
const dandas = '0964 0965';

/** By language. */
const scripts: ReadonlyMap<number, Script> = new Map([
  [
    4,
    {
      start: 0x0980,
      without: '0D 0E 11 12 29 31 33 34 35 3A 3B 45 46 49 4A',
      tail: '4E 57 5C 5D 70 71',
      single: `${digits} 5F 60 61 62 63 72 73 74 75 76 77 78 79 7A`,
    },
  ],
  [
    5,
    {
      start: 0x0a80,
      without: '0E 12 29 31 34 46 4A',
      tail: '50 60 61 62 63 71',
      single: `${dandas} ${digits}`,
    },
  ],
  [
    6,
    {
      start: 0x0900,
      without: '',
      tail: '50 72 7B 7C 7E 7F',
      single: `${dandas} ${digits} 51 52 53 54 58 59 5A 5B 5C 5D 5E 5F 60 61 62 63 70 71`,
    },
  ],
  [
    7,
    {
      start: 0x0c80,
      without: '01 0D 11 29 34 45 49',
      tail: '55 56 60 61 62 63',
      single: `${dandas} ${digits} 5E 71 72`,
    },
  ],
  [
    8,
    {
      start: 0x0d00,
      without: '01 0D 11 29 3C 45 49',
      tail: '57 60 61 62 63 79',
      single: `${dandas} ${digits} 70 71 72 73 74 75 7A 7B 7C 7D 7E 7F`,
    },
  ],
  [
    9,
    {
      start: 0x0b00,
      without: '0D 0E 11 12 29 31 34 45 46 49 4A',
      tail: '56 57 60 61 62 63',
      single: `${dandas} ${digits} 5C 5D 5F 70 71`,
    },
  ],
  [
    10,
    {
      start: 0x0a00,
      without: '0B 0C 0D 0E 11 12 29 31 34 37 3D 43 44 45 46 49 4A',
      tail: '51 70 71 72 73 74',
      single: `${dandas} ${digits} 59 5A 5B 5C 5E 75`,
    },
  ],
  [
    11,
    {
      start: 0x0b80,
      without: '01 0B 0C 0D 11 16 17 18 1B 1D 20 21 22 25 26 27 2B 2C 2D 3C 3D 43 44 45 49',
      tail: '50 57 70 71 72 79',
      single: `${dandas} ${digits} 73 74 75 76 77 78 7A`,
    },
  ],
  [
    12,
    {
      start: 0x0c00,
      without: '0D 11 29 34 3C 45 49',
      tail: '55 56 60 61 62 63',
      single: `.. .. ${digits} 58 59 78 79 7A 7B 7C 7D 7E 7F`,
    },
  ],
]);

const letters = 'abcdefghijklmnopqrstuvwxyz';

function characterOf(start: number, place: string): string {
  if (place.length === 1) return place;
  const code = Number.parseInt(place, 16);
  return named[place] ?? String.fromCharCode(place.length === 4 ? code : start + code);
}

/** Returns the 128 characters of a locking shift table, from the positions of 0x00 to 0x5F and of the tail. */
function lockingOf(start: number, main: readonly string[], tail: string): string {
  const [before, ...after] = tail.split(' ').map((place) => characterOf(start, place));
  return [...main.map((place) => characterOf(start, place)), before, letters, ...after].join('');
}

/** Returns the layout without the positions that a language does not have. */
function layoutWithout(places: string): readonly string[] {
  const missing = new Set(places.split(' '));
  return lockingLayout.map((place) => (missing.has(place) ? UNASSIGNED : place));
}

/** Characters that all single shift tables of these languages share (A.2.4 to A.2.13), by septet. */
const commonSingles: readonly (readonly [septet: number, character: string])[] = [
  ...[...'@£$¥¿"¤%&\''].map((character, septet) => [septet, character] as const),
  ...[...'*+'].map((character, at) => [0x0b + at, character] as const),
  ...[...'-/<=>¡^¡_#*'].map((character, at) => [0x0e + at, character] as const),
  ...[...letters.toUpperCase()].map((character, at) => [0x41 + at, character] as const),
  [0x0a, '\f'],
];

/** Septets of the characters of one language: from 0x19, except the escape and the default extension table. */
const singlePlaces = Array.from({ length: 0x40 - 0x19 }, (_, i) => 0x19 + i).filter(
  (septet) => ![0x1b, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e].includes(septet),
);

function singleOf(start: number, places: string): readonly (readonly [number, string])[] {
  const own = places
    .split(' ')
    .map((place, at) => [singlePlaces[at]!, place] as const)
    .filter(([, place]) => place !== '..')
    .map(([septet, place]) => [septet, characterOf(start, place)] as const);
  return [...commonSingles, ...own];
}

const URDU = 13;
/** Urdu is written in the Arabic script, whose order in Unicode differs from that of the table (A.3.13). */
const urduLocking =
  '0627 0622 0628 067B 0680 067E 06A6 062A 06C2 067F LF 0679 067D CR 067A 067C ' +
  '062B 062C 0681 0684 0683 0685 0686 0687 062D 062E 062F -- 068C 0688 0689 068A ' +
  'SP ! 068F 068D 0630 0631 0691 0693 ) ( 0699 0632 , 0696 . 0698 ' +
  '0 1 2 3 4 5 6 7 8 9 : ; 069A 0633 0634 ? ' +
  '0635 0636 0637 0638 0639 0641 0642 06A9 06AA 06AB 06AF 06B3 06B1 0644 0645 0646 ' +
  '06BA 06BB 06BC 0648 06C4 06D5 06C1 06BE 0621 06CC 06D0 06D2 064D 0650 064F 0657';
const urduTail = '0654 0655 0651 0653 0656 0670';
const urduSingle =
  '0600 0601 06F0 06F1 06F2 06F3 06F4 06F5 06F6 06F7 06F8 06F9 060C 060D 060E 060F 0610 0611 0612 ' +
  '0613 0614 061B 061F 0640 0652 0658 066B 066C 0672 0673 06CD 06D4';

/** By language: the 128 characters of its locking shift table. */
export const indicLockingTables: readonly (readonly [language: number, table: string])[] = [
  ...[...scripts].map(
    ([language, { start, without, tail }]) =>
      [language, lockingOf(start, layoutWithout(without), tail)] as const,
  ),
  [URDU, lockingOf(0, urduLocking.split(' '), urduTail)],
];

/** By language: the characters of its single shift table by septet, except those of the default extension table. */
export const indicSingleTables: readonly (readonly [
  language: number,
  table: readonly (readonly [septet: number, character: string])[],
])[] = [
  ...[...scripts].map(([language, { start, single }]) => [language, singleOf(start, single)] as const),
  [URDU, singleOf(0, urduSingle)],
];
