/*
 * The national language shift tables of 3GPP TS 23.038, annex A. A user data header names up to two: a locking shift
 * table in place of the default alphabet, and a single shift table in place of its extension table. This file contains
 * those of Turkish, Spanish and Portuguese; gsm-indic.ts those of the languages of India.
 */

import { indicLockingTables, indicSingleTables } from './gsm-indic.ts';

/** The tables of a message by the numbers of their languages; 0 is the default table. */
export interface ShiftTables {
  readonly locking: number;
  readonly single: number;
}

const ESCAPE = '\u001b';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const small = letters.toLowerCase();

/** By language: the 128 characters of the locking shift table (A.3). Spanish does not have one. */
const lockingTables: ReadonlyMap<number, string> = new Map([
  [
    1,
    '@£$¥€éùıòÇ\nĞğ\rÅåΔ_ΦΓΛΩΠΨΣΘΞ' +
      `${ESCAPE}ŞşßÉ !"#¤%&'()*+,-./0123456789:;<=>?İ${letters}ÄÖÑÜ§ç${small}äöñüà`,
  ],
  ...indicLockingTables,
  [
    3,
    '@£$¥êéúíóç\nÔô\rÁáΔ_ªÇÀ∞^\\€Ó|' +
      `${ESCAPE}ÂâÊÉ !"#º%&'()*+,-./0123456789:;<=>?Í${letters}ÃÕÚÜ§~${small}ãõ\`üà`,
  ],
]);

/** Adds the default extension table, which every single shift table includes. */
export const extensionTable: readonly (readonly [septet: number, character: string])[] = [
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
];

type Entries = readonly (readonly [septet: number, character: string])[];

/** Every single shift table has the default one's, too. */
const tableWith = (more: Entries): ReadonlyMap<number, string> => new Map([...extensionTable, ...more]);

const singleTable = (more: Readonly<Record<number, string>>) =>
  tableWith(Object.entries(more).map(([septet, character]) => [Number(septet), character] as const));

/** By language: the characters of the single shift table (A.2). */
const singleTables: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map([
  ...indicSingleTables.map(([language, more]) => [language, tableWith(more)] as const),
  [
    1,
    singleTable({
      71: 'Ğ',
      73: 'İ',
      83: 'Ş',
      99: 'ç',
      103: 'ğ',
      105: 'ı',
      115: 'ş',
    }),
  ],
  [
    2,
    singleTable({
      9: 'ç',
      65: 'Á',
      73: 'Í',
      79: 'Ó',
      85: 'Ú',
      97: 'á',
      105: 'í',
      111: 'ó',
      117: 'ú',
    }),
  ],
  [
    3,
    singleTable({
      5: 'ê',
      9: 'ç',
      11: 'Ô',
      12: 'ô',
      14: 'Á',
      15: 'á',
      18: 'Φ',
      19: 'Γ',
      21: 'Ω',
      22: 'Π',
      23: 'Ψ',
      24: 'Σ',
      25: 'Θ',
      31: 'Ê',
      65: 'À',
      73: 'Í',
      79: 'Ó',
      85: 'Ú',
      91: 'Ã',
      92: 'Õ',
      97: 'Â',
      105: 'í',
      111: 'ó',
      117: 'ú',
      123: 'ã',
      124: 'õ',
      127: 'â',
    }),
  ],
]);

/** Whether this service has these tables. */
export function areKnown({ locking, single }: ShiftTables): boolean {
  return (locking === 0 || lockingTables.has(locking)) && (single === 0 || singleTables.has(single));
}

/** Returns the characters of a locking shift table, by septet; undefined for the default alphabet. */
export const lockingTableOf = (language: number): string | undefined => lockingTables.get(language);

/** Returns the characters of a single shift table, by septet; undefined for the default extension table. */
export const singleTableOf = (language: number): ReadonlyMap<number, string> | undefined =>
  singleTables.get(language);
