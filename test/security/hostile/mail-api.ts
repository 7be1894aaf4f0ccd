import type { HostileBody } from './requests.ts';

/* Bodies of 20 MiB for the mailing-list API. */

const MIB = 1024 * 1024;
const many = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join(',');

/**
 * `full`: each kind as large as it can be stored. Else as long as shows work of some ten microseconds a user or field that
 * is done in one piece.
 */
export function* mailBodies(list: number, full: boolean): Generator<HostileBody> {
  const most = full ? 90_000 : 5_000;
  const withFields = full ? 7_000 : 500;
  const long = full ? MIB / 2 : MIB / 8;
  const lists = `"mailingLists":[{"ExistingListID":${list}}]`;
  const users = (count: number, more: (index: number) => string) =>
    `{"users":[${many(count, (i) => `{"EmailAddress":"u${i}@example.com"${more(i)}}`)}],${lists}}`;
  yield { body: users(full ? 90_000 : 10_000, (i) => `,"FirstName":"Dana","LastName":"Cohen ${i}"`) };
  // Known by now: what is given changes.
  yield { body: users(most, (i) => `,"FirstName":"Noa","DeleteUser":${i % 2 === 0}`) };
  yield { body: users(most, () => `,"UndeleteUserIfExists":true`) };
  yield {
    body: users(
      withFields,
      (i) => `,"UserSendFields":[${many(80, (n) => `{"Key":"k${n + (i % 3)}","Value":"v"}`)}]`,
    ),
  };
  yield { body: users(most, () => '').replaceAll(/u\d+@/g, 'one@') };
  // One user, with more and more fields.
  yield {
    body: users(
      withFields,
      (i) => `,"UserSendFields":[${many(90, (n) => `{"Key":"${i * 90 + n}","Value":"v"}`)}]`,
    ).replaceAll(/u\d+@/g, 'one@'),
  };
  yield { body: `{"users":[${'{},'.repeat(full ? 3 * MIB : MIB / 4)}{}],${lists}}` };
  yield { body: `{"users":[{"EmailAddress":"${'a.'.repeat(long)}@example.com"}],${lists}}` };
  yield { body: `{"users":[{"EmailAddress":"a@${'a.'.repeat(long)}com"}],${lists}}` };
}
