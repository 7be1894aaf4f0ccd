/* Files of an attacker, for every route that takes CSV. */

const fill = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));

const rows = (bytes: number) =>
  Array.from({ length: bytes / 40 }, (_, i) => `05${10_000_000 + i},Dana ${i},${'x'.repeat(12)}\n`).join('');
const addresses = (bytes: number) =>
  Array.from({ length: bytes / 40 }, (_, i) => `user-${i}@example.com,Dana,Cohen\n`).join('');

/** Files of `bytes`, by what they are made of. */
export const csvFiles: Readonly<Record<string, (bytes: number) => string>> = {
  commas: (bytes) => fill(',', bytes),
  'line ends': (bytes) => fill('\n', bytes),
  'carriage returns': (bytes) => fill('\r', bytes),
  'short rows': (bytes) => `phone\n${fill('1\n', bytes)}`,
  'empty fields': (bytes) => `phone,a\n${fill(',\n', bytes)}`,
  'wide rows': (bytes) => `phone,a\n${fill(`${','.repeat(60_000)}\n`, bytes)}`,
  quotes: (bytes) => `phone,a\n${fill('"', bytes)}`,
  'quoted fields': (bytes) => `phone,a\n${fill('"1","""""""""""""""""""""""""""\n', bytes)}`,
  'quotes that are not closed': (bytes) => `phone,a\n${fill('1,"x\n', bytes)}`,
  'a line without an end': (bytes) => `phone,a\n${fill('x', bytes)}`,
  formulas: (bytes) => `phone,a\n${fill("0501234567,'=1\n", bytes)}`,
  'NUL and no text': (bytes) => `phone,a\n${fill('\0\u0080', bytes)}`,
  'phones with signs': (bytes) => `phone,a\n${fill(`+(9)-${'7 '.repeat(300)}\n`, bytes)}`,
  contacts: (bytes) => `phone,name,town\n${rows(bytes)}`,
  users: (bytes) => `email,first name,last name\n${addresses(bytes)}`,
  'columns of names': (bytes) => `phone,${fill('name,', Math.min(bytes, 60_000))}\n${rows(bytes / 2)}`,
};
