/* Bodies of `POST /api`, by what an attacker hopes for. None is over 10 MiB. */

const MIB = 1024 * 1024;

const many = (count: number, piece: (index: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, index) => piece(index)).join(separator);

const user = '"user":{"username":"demo"}';
export const phones = (count: number): string => many(count, (i) => `"05${String(10_000_000 + i)}"`);
const rows = (count: number) =>
  many(count, (i) => `{"phone":"05${String(10_000_000 + i)}","df1":"Dana ${i}","df2":"${'x'.repeat(20)}"}`);
const list = (id: string, entries: string) =>
  `{${user},"cl":[{"id":"${id}","destinations":{"destination":[${entries}]}}]}`;

const contacts = (count: number) =>
  `{"newCL":{${user},"cl":[{"name":"a","destinations":{"destination":[${rows(count)}]}}]}}`;

/** Bodies of `/api`, a name for each, as large as they may be for a `part` of 1. */
export const smsBodies: Readonly<Record<string, (part: number) => string>> = {
  'JSON of 600,000 keys': (part) => `{"sms":{${many(600_000 * part, (i) => `"k${i}":1`)}}}`,
  'JSON of many shapes': (part) => `{"sms":{"a":[${many(500_000 * part, (i) => `{"k${i}":1}`)}]}}`,
  'JSON of ones': (part) => `{"sms":{"a":[${'1,'.repeat(4_000_000 * part)}1]}}`,
  'JSON of depth': (part) => `{"sms":${'['.repeat(9 * MIB * part)}`,
  'JSON of quotes': (part) => `{"sms":{"message":"${'\\"'.repeat(4 * MIB * part)}"}}`,
  'JSON of backslashes': (part) => `{"sms":{"message":"${'\\\\'.repeat(4 * MIB * part)}`,
  'JSON of blanks': (part) => `{"sms":{"a":${' '.repeat(9 * MIB * part)}1}}`,
  'JSON of digits': (part) => `{"sms":{"a":${'9'.repeat(9 * MIB * part)}}}`,
  'XML of attributes': (part) => `<sms ${many(700_000 * part, (i) => `a${i}=""`, ' ')}/>`,
  'XML of empty elements': (part) => `<sms>${'<a/>'.repeat(2 * MIB * part)}</sms>`,
  'XML of names': (part) => `<sms>${many(400_000 * part, (i) => `<a${i}/>`, '')}</sms>`,
  'XML of entities': (part) => `<sms><message>${'&amp;'.repeat(2 * MIB * part)}</message></sms>`,
  'XML of angles': (part) => `<sms>${'<'.repeat(9 * MIB * part)}`,
  'XML of depth': (part) => '<a>'.repeat(3 * MIB * part),
  'XML of text': (part) => `<sms><message>${'ש'.repeat(4 * MIB * part)}</message></sms>`,
  'XML of comments': (part) => `<sms>${'<!---->'.repeat(MIB * part)}</sms>`,
  'blanks alone': (part) => ' '.repeat(10 * MIB * part),
  'bad phones of an sms': (part) =>
    `{"sms":{${user},"source":"Shop","message":"x","destinations":{"phone":[${phones(700_000 * part)}]}}}`,
  '100,000 phones of an sms': (part) =>
    `{"sms":{${user},"source":"Shop","message":"x","destinations":{"phone":[${phones(100_000 * part)}]}}}`,
  'phones of a blacklist': (part) => `{"addNumBL":{${user},"phones":{"phone":[${phones(600_000 * part)}]}}}`,
  'wrong contacts of a list': (part) =>
    `{"newCL":{${user},"cl":[{"name":"a","destinations":{"destination":[${'"x",'.repeat(500_000 * part)}"x"]}}]}}`,
  'a bulk of 2,500 with 100,000 phones': (part) =>
    `{"bulk":{${user},"messages":{"sms":[${many(2_500 * part, (i) => `{"source":"Shop","message":"x${i}","destinations":{"phone":[${phones(40)}]}}`)}]}}}`,
  'contacts of a list': (part) => contacts(140_000 * part),
  'foreign contacts': (part) =>
    `{"newCL":{${user},"cl":[{"name":"a","destinations":{"destination":[${many(60_000 * part, (i) => `"+4479${10_000_000 + i}"`)}]}}]}}`,
  'ids of reports': (part) =>
    `{"dlr":{${user},"transactions":{"external_id":[${many(500_000 * part, (i) => `"${i}"`)}]}}}`,
  'numbers for a list': (part) => `{"addNumCL":${list('1', rows(120_000 * part))}}`,
  'numbers out of a list': (part) =>
    `{"rmNumCL":{${user},"cl":[{"id":"1","destinations":{"phone":[${phones(700_000 * part)}]}}]}}`,
  'lists to remove': (part) =>
    `{"removeCL":{${user},"cl":[${many(1_000 * part, () => `{"id":[${many(900, (i) => `"${i}"`)}]}`)}]}}`,
  'ids of calls': (part) =>
    `{"ttsDlr":{${user},"transactions":{"external_id":[${many(500_000 * part, (i) => `"${i}"`)}]}}}`,
  'phones to verify': (part) => `{"verify_phone":{${user},"phones":{"phone":[${phones(600_000 * part)}]}}}`,
  'addresses to push to': (part) => `{"push_url":{${user},"url":"http://a/${'a/../'.repeat(MIB * part)}"}}`,
  'a name of a subscriber': (part) => `{"addSub":{${user},"name":"${'א '.repeat(2 * MIB * part)}"}}`,
};

/** Those that the short form has as large as they may be, one for each decoder and one that is planned. */
export const wholeInShortForm: readonly string[] = [
  'JSON of 600,000 keys',
  'XML of names',
  '100,000 phones of an sms',
];

/** The part that the short form has of the others: enough for work that grows with the square of a body. */
export const SHORT_PART = 1 / 16;

/**
 * What is stored of as much as one request can ask for, one after the other; without `full` a tenth of it or more: work that
 * grows with the square shows. What is checked of the largest bodies, the dry run shows (`smsBodies`).
 */
export function storedBodies(year: number, full: boolean): Record<string, string> {
  const listed = phones(full ? 300_000 : 40_000);
  // In a year, so that the network of the sandbox has nothing to do with it.
  const timing = `"timing":"01/01/${year + 1} 00:00"`;
  return {
    'a scheduled sms': `{"sms":{${user},"source":"Shop","message":"x",${timing},"destinations":{"phone":[${phones(full ? 100_000 : 10_000)}]}}}`,
    ...(full && {
      'a scheduled bulk': `{"bulk":{${user},"messages":{"sms":[${many(2_000, (i) => `{"source":"Shop","message":"x${i}",${timing},"destinations":{"phone":[${phones(50)}]}}`)}]}}}`,
    }),
    'a list': contacts(full ? 140_000 : 25_000),
    'a blacklist': `{"addNumBL":{${user},"phones":{"phone":[${listed}]}}}`,
    'a scheduled sms to numbers of which each is on it': `{"sms":{${user},"source":"Shop","message":"x",${timing},"destinations":{"phone":["0599999999",${phones(full ? 99_999 : 10_000)}]}}}`,
    'a blacklist, again': `{"rmNumBL":{${user},"reason":"x","phones":{"phone":[${listed}]}}}`,
  };
}
