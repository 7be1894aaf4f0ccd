import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { Accounts } from '../../server/accounts/accounts.ts';
import { hashPassword } from '../../server/accounts/passwords.ts';
import { systemClock } from '../../server/clock.ts';
import { connect } from '../../server/database/connection.ts';
import { createIdSource } from '../../server/ids.ts';
import { createPeopleRoom, type PeopleRoom } from '../../server/people/room.ts';
import { atEnd, createDatabase } from '../support/database.ts';

/* Two processes on one database: what one of them did is so for the other in the same moment. */

const { sql, target } = await createDatabase();
const otherSql = connect(target);
atEnd(() => otherSql.end());
const clock = systemClock;
// It stands still: a step does not end between a code and its use.
const phoneTime = Date.now();
const phoneClock = { now: () => phoneTime };
const here = createPeopleRoom({ sql, ids: createIdSource(1, clock), clock, phoneClock });
const there = createPeopleRoom({ sql: otherSql, ids: createIdSource(2, clock), clock, phoneClock });

const PASSWORD = 'a password of tests';
const passwordHash = await hashPassword(PASSWORD);
const account = await new Accounts(sql, createIdSource(3, clock), clock).create({ username: 'a', name: 'A' });
const note = async () => {};
let people = 0;

async function newPerson() {
  people += 1;
  const { person } = await here.people.add({
    accountId: account.id,
    username: `person-${people}`,
    name: 'x',
    role: 'owner',
    passwordHash,
  });
  const origin = { address: `198.51.100.${people}`, agent: 'test' };
  const signIn = (room: PeopleRoom, code?: string, password = PASSWORD) =>
    room.signIns.byPassword({ username: person.username, password, code }, origin, () => {});
  return { person, origin, signIn };
}

test('a session is one, and has ended, for both', async () => {
  const { person, signIn } = await newPerson();
  const { token } = (await signIn(here))!;
  const session = (await there.sessions.find(token))!;
  assert.equal(session.person.id, person.id);
  assert.equal(await there.sessions.end(person.id, session.id), true);
  assert.equal(await here.sessions.find(token), null);
});

test('who is suspended by one is out of the other', async () => {
  const { person, signIn } = await newPerson();
  const { token } = (await signIn(here))!;
  await there.people.change(account.id, person.id, { suspended: true }, note);
  assert.equal(await here.sessions.find(token), null);
  await assert.rejects(signIn(here), { code: 'signed-out' });
});

test('whoever signs in with the old password while it is changed has no session afterwards', async () => {
  const { person, origin, signIn } = await newPerson();
  const { token } = (await signIn(here))!;
  const session = (await here.sessions.find(token))!;
  const tries = Array.from({ length: 4 }, () => signIn(there).catch(() => null));
  const change = { current: PASSWORD, password: 'the new password' };
  const fresh = await here.signIns.changePassword(session, change, origin, note);
  await Promise.all(tries);
  const left = await here.sessions.list(person.id);
  assert.deepEqual(
    left.map(({ id }) => id),
    [(await there.sessions.find(fresh))!.id],
  );
});

test('a code that both are given at once is right for one of them', async () => {
  const { person, origin, signIn } = await newPerson();
  const { token } = (await signIn(here))!;
  const session = (await here.sessions.find(token))!;
  const { secret } = await here.signIns.proposeSecondFactor(person, PASSWORD, origin);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const past = totp.generate({ timestamp: phoneTime - 30_000 });
  const [recovery] = await here.signIns.confirmSecondFactor(session, past, note);
  for (const code of [totp.generate({ timestamp: phoneTime }), recovery!]) {
    const outcomes = await Promise.allSettled([signIn(here, code), signIn(there, code)]);
    const wrong = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    assert.deepEqual(
      wrong.map(({ reason }) => reason.code),
      ['wrong-code'],
    );
  }
});
