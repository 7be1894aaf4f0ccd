import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { connect } from '../../../server/database/connection.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { Accounts } from '../../../server/modules/accounts/accounts.ts';
import { hashPassword } from '../../../server/modules/passwords/hashes.ts';
import { createPeopleModule, type PeopleModule } from '../../../server/modules/people/open.ts';
import { atEnd, createDatabase } from '../../support/database.ts';
import { waitingStatements } from '../../support/lock-waits.ts';
import { secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Two processes on one database: what one of them did is so for the other in the same moment. */

const { sql, target } = await createDatabase();
const otherSql = connect(target);
atEnd(() => otherSql.end());
const clock = systemClock;
const log = createLogger('silent');
// It stands still: a step does not end between a code and its use.
const phoneTime = Date.now();
const phoneClock = { now: () => phoneTime };
const here = createPeopleModule({ sql, ids: createIdSource(1, clock), clock, log, phoneClock, secrets });
const there = createPeopleModule({
  sql: otherSql,
  ids: createIdSource(2, clock),
  clock,
  log,
  phoneClock,
  secrets,
});

const PASSWORD = 'a password of tests';
const passwordHash = await hashPassword(PASSWORD);
const account = await new Accounts(sql, createIdSource(3, clock), clock).create({ username: 'a', name: 'A' });
const note = async () => {};
let people = 0;

/** Locks a person's row until `waiting` transactions of `work` wait for it, then lets them go; how all of it ended. */
async function holdingPerson<T>(id: number, waiting: number, work: () => Promise<T>[]) {
  const all: Promise<T>[] = [];
  await sql.begin(async (tx) => {
    await tx`SELECT 1 FROM people WHERE id = ${id} FOR UPDATE`;
    all.push(...work());
    for (const one of all) one.catch(() => {});
    await waitFor(`${waiting} transactions at the row`, async () => {
      const statements = await waitingStatements(otherSql);
      return statements.length >= waiting;
    });
  });
  return Promise.allSettled(all);
}

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
  const signIn = async (module: PeopleModule, code?: string, password = PASSWORD) => {
    const given = { username: person.username, password, code, passkey: undefined };
    const noSite = () => assert.fail('nobody has a passkey');
    const answer = await module.signIns.byPassword(given, origin, () => {}, noSite);
    return 'token' in answer ? answer : null;
  };
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

test('a second factor that one requires is required by the other at the next look', async () => {
  const { signIn } = await newPerson();
  const { token } = (await signIn(here))!;
  const required = async (module: PeopleModule) => (await module.sessions.find(token))!.secondFactorRequired;
  assert.deepEqual([await required(here), await required(there)], [false, false]);
  await here.rules.change(account.id, { secondFactorRequired: true }, note);
  assert.deepEqual([await required(there), await required(here)], [true, true]);
  await there.rules.change(account.id, { secondFactorRequired: false }, note);
  assert.equal(await required(here), false);
});

test('whoever signs in with the old password while it is changed has no session afterwards', async () => {
  const { person, origin, signIn } = await newPerson();
  const { token } = (await signIn(here))!;
  const session = (await here.sessions.find(token))!;
  const tries = Array.from({ length: 4 }, () => signIn(there).catch(() => null));
  const change = { current: PASSWORD, password: 'the new password' };
  const fresh = await here.credentials.changePassword(session, change, origin, note);
  await Promise.all(tries);
  const left = await here.sessions.list(person.id);
  assert.deepEqual(
    left.map(({ id }) => id),
    [(await there.sessions.find(fresh))!.id],
  );
});

test('a code sent to both processes concurrently is accepted by one of them', async () => {
  const { person, origin, signIn } = await newPerson();
  const { token } = (await signIn(here))!;
  const session = (await here.sessions.find(token))!;
  const { secret } = await here.credentials.proposeSecondFactor(
    { id: 0, person, proofAgeMs: null, provider: undefined },
    PASSWORD,
    origin,
  );
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const past = totp.generate({ timestamp: phoneTime - 30_000 });
  const { recoveryCodes } = await here.credentials.confirmSecondFactor(session, past, origin, note);
  for (const code of [totp.generate({ timestamp: phoneTime }), recoveryCodes[0]!]) {
    // Both are held at the person's row and go on in the same moment.
    const outcomes = await holdingPerson(person.id, 2, () => [signIn(here, code), signIn(there, code)]);
    const wrong = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    assert.deepEqual(
      wrong.map(({ reason }) => reason.code),
      ['wrong-code'],
    );
  }
});

test('a link that is used while the password is changed does not stop both', async () => {
  const { person, origin, signIn } = await newPerson();
  const session = (await here.sessions.find((await signIn(here))!.token))!;
  const link = (await here.people.reset(account.id, person.id, { secondFactor: false }, note))!;
  const change = { current: PASSWORD, password: 'the new password' };
  const outcomes = await holdingPerson<unknown>(person.id, 2, () => [
    here.credentials.changePassword(session, change, origin, note),
    there.signIns.chooseByLink(link.token, 'chosen by the link', origin, () => {}),
  ]);
  // The change of the password ends links, so the link is refused when it comes second.
  const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  for (const { reason } of refused) assert.equal(reason.code, 'link-over');
  assert.ok(refused.length <= 1);
});

test('a recovery code that signs in while it removes the second factor works once, and stops neither', async () => {
  const { person, origin, signIn } = await newPerson();
  const session = (await here.sessions.find((await signIn(here))!.token))!;
  const { secret } = await here.credentials.proposeSecondFactor(
    { id: 0, person, proofAgeMs: null, provider: undefined },
    PASSWORD,
    origin,
  );
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: phoneTime });
  const { recoveryCodes } = await here.credentials.confirmSecondFactor(session, code, origin, note);
  const given = { password: PASSWORD, code: recoveryCodes[0]! };
  const outcomes = await holdingPerson<unknown>(person.id, 2, () => [
    here.credentials.removeSecondFactor(
      { id: 0, person, proofAgeMs: null, provider: undefined },
      given,
      origin,
      note,
    ),
    signIn(there, recoveryCodes[0]!),
  ]);
  const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  assert.equal(refused.length, 1);
  assert.ok(['wrong-code', 'not-now'].includes(refused[0]!.reason.code), String(refused[0]!.reason));
});
