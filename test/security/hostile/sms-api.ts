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

/** Bodies of `/api`, a name for each. */
export const smsBodies: Record<string, () => string> = {
  'JSON of 600,000 keys': () => `{"sms":{${many(600_000, (i) => `"k${i}":1`)}}}`,
  'JSON of many shapes': () => `{"sms":{"a":[${many(500_000, (i) => `{"k${i}":1}`)}]}}`,
  'JSON of ones': () => `{"sms":{"a":[${'1,'.repeat(4_000_000)}1]}}`,
  'JSON of depth': () => `{"sms":${'['.repeat(9 * MIB)}`,
  'JSON of quotes': () => `{"sms":{"message":"${'\\"'.repeat(4 * MIB)}"}}`,
  'JSON of backslashes': () => `{"sms":{"message":"${'\\\\'.repeat(4 * MIB)}`,
  'JSON of blanks': () => `{"sms":{"a":${' '.repeat(9 * MIB)}1}}`,
  'JSON of digits': () => `{"sms":{"a":${'9'.repeat(9 * MIB)}}}`,
  'XML of attributes': () => `<sms ${many(700_000, (i) => `a${i}=""`, ' ')}/>`,
  'XML of empty elements': () => `<sms>${'<a/>'.repeat(2 * MIB)}</sms>`,
  'XML of names': () => `<sms>${many(400_000, (i) => `<a${i}/>`, '')}</sms>`,
  'XML of entities': () => `<sms><message>${'&amp;'.repeat(2 * MIB)}</message></sms>`,
  'XML of angles': () => `<sms>${'<'.repeat(9 * MIB)}`,
  'XML of depth': () => '<a>'.repeat(3 * MIB),
  'XML of text': () => `<sms><message>${'ש'.repeat(4 * MIB)}</message></sms>`,
  'XML of comments': () => `<sms>${'<!---->'.repeat(MIB)}</sms>`,
  'blanks alone': () => ' '.repeat(10 * MIB),
  'bad phones of an sms': () =>
    `{"sms":{${user},"source":"Shop","message":"x","destinations":{"phone":[${phones(700_000)}]}}}`,
  '100,000 phones of an sms': () =>
    `{"sms":{${user},"source":"Shop","message":"x","destinations":{"phone":[${phones(100_000)}]}}}`,
  'phones of a blacklist': () => `{"addNumBL":{${user},"phones":{"phone":[${phones(600_000)}]}}}`,
  'wrong contacts of a list': () =>
    `{"newCL":{${user},"cl":[{"name":"a","destinations":{"destination":[${'"x",'.repeat(500_000)}"x"]}}]}}`,
  'a bulk of 2,500 with 100,000 phones': () =>
    `{"bulk":{${user},"messages":{"sms":[${many(2_500, (i) => `{"source":"Shop","message":"x${i}","destinations":{"phone":[${phones(40)}]}}`)}]}}}`,
  'contacts of a list': () => contacts(140_000),
  'foreign contacts': () =>
    `{"newCL":{${user},"cl":[{"name":"a","destinations":{"destination":[${many(60_000, (i) => `"+4479${10_000_000 + i}"`)}]}}]}}`,
  'ids of reports': () =>
    `{"dlr":{${user},"transactions":{"external_id":[${many(500_000, (i) => `"${i}"`)}]}}}`,
  'numbers for a list': () => `{"addNumCL":${list('1', rows(120_000))}}`,
  'numbers out of a list': () =>
    `{"rmNumCL":{${user},"cl":[{"id":"1","destinations":{"phone":[${phones(700_000)}]}}]}}`,
  'lists to remove': () =>
    `{"removeCL":{${user},"cl":[${many(1_000, () => `{"id":[${many(900, (i) => `"${i}"`)}]}`)}]}}`,
  'ids of calls': () =>
    `{"ttsDlr":{${user},"transactions":{"external_id":[${many(500_000, (i) => `"${i}"`)}]}}}`,
  'phones to verify': () => `{"verify_phone":{${user},"phones":{"phone":[${phones(600_000)}]}}}`,
  'addresses to push to': () => `{"push_url":{${user},"url":"http://a/${'a/../'.repeat(MIB)}"}}`,
  'a name of a subscriber': () => `{"addSub":{${user},"name":"${'א '.repeat(2 * MIB)}"}}`,
};

/**
 * What is stored of as much as one request can ask for, one after the other; without `full` of as much as shows a statement,
 * or a list of rows, that is made in one piece. What is checked of the largest bodies, the dry run shows (`smsBodies`).
 */
export function storedBodies(year: number, full: boolean): Record<string, string> {
  const listed = phones(full ? 300_000 : 120_000);
  // In a year, so that the network of the sandbox has nothing to do with it.
  const timing = `"timing":"01/01/${year + 1} 00:00"`;
  return {
    'a scheduled sms': `{"sms":{${user},"source":"Shop","message":"x",${timing},"destinations":{"phone":[${phones(full ? 100_000 : 50_000)}]}}}`,
    ...(full && {
      'a scheduled bulk': `{"bulk":{${user},"messages":{"sms":[${many(2_000, (i) => `{"source":"Shop","message":"x${i}",${timing},"destinations":{"phone":[${phones(50)}]}}`)}]}}}`,
    }),
    'a list': contacts(full ? 140_000 : 60_000),
    'a blacklist': `{"addNumBL":{${user},"phones":{"phone":[${listed}]}}}`,
    'a scheduled sms to numbers of which each is on it': `{"sms":{${user},"source":"Shop","message":"x",${timing},"destinations":{"phone":["0599999999",${phones(full ? 99_999 : 30_000)}]}}}`,
    'a blacklist, again': `{"rmNumBL":{${user},"reason":"x","phones":{"phone":[${listed}]}}}`,
  };
}
