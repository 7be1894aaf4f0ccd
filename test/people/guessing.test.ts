import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { Guessing, Locked } from '../../server/people/guessing.ts';
import { addPerson, Browser, lockOut, PASSWORD } from '../support/console.ts';
import { atEnd, createDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';

const { sql, target } = await createDatabase();
let time = Date.now();
/** It stands still: what is done in no time has no pause over. */
const clock = {
  now: () => time,
  advance(milliseconds: number) {
    time += milliseconds;
  },
};
const guessing = new Guessing(sql, clock);

let last = 0;
/** An address that nobody has used yet. */
function newAddress(): string {
  last += 1;
  return `198.51.${last >> 8}.${last & 255}`;
}
const newName = () => `name-${randomUUID()}`;

/** Counts a failure; how many seconds one has to wait, if it is too early for one. */
async function fail(name: string, address: string, counter = guessing): Promise<number> {
  try {
    await counter.begin(name, address);
    return 0;
  } catch (error) {
    assert.ok(error instanceof Locked);
    assert.equal(error.code, 'too-fast');
    return error.seconds;
  }
}

/** Pauses after failures, by always waiting as long as it takes. */
async function pausesOf(count: number, once: () => Promise<number>): Promise<number[]> {
  const pauses: number[] = [];
  while (pauses.length < count) {
    const seconds = await once();
    if (seconds === 0) pauses.push(0);
    else {
      pauses[pauses.length - 1] = seconds;
      clock.advance(seconds * 1_000);
    }
  }
  return pauses;
}

describe('guessing', () => {
  test('by one name from anywhere: five failures are free, then pauses double up to a quarter of an hour', async () => {
    const name = newName();
    const pauses = await pausesOf(17, () => fail(name, newAddress()));
    assert.deepEqual(pauses.slice(0, 16), [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test('by one address with any names: twenty failures are free', async () => {
    const address = newAddress();
    const pauses = await pausesOf(24, () => fail(newName(), address));
    assert.deepEqual(pauses.slice(0, 23), [...new Array<number>(19).fill(0), 1, 2, 4, 8]);
  });

  test('names are the same in any case; another name is not held up', async () => {
    const name = newName();
    for (let i = 0; i < 5; i++) assert.equal(await fail(name, newAddress()), 0);
    assert.notEqual(await fail(name.toUpperCase(), newAddress()), 0);
    assert.equal(await fail(`${name}2`, newAddress()), 0);
  });

  test('a network of IPv6 is one address, and an IPv4 address is the same in IPv6', async () => {
    for (let i = 0; i < 20; i++) assert.equal(await fail(newName(), `2001:db8:1:2::${i}`), 0);
    assert.notEqual(await fail(newName(), '2001:db8:1:2:ffff::1'), 0);
    assert.equal(await fail(newName(), '2001:db8:1:3::1'), 0);
    const address = newAddress();
    for (let i = 0; i < 20; i++) assert.equal(await fail(newName(), `::ffff:${address}`), 0);
    assert.notEqual(await fail(newName(), address), 0);
  });

  test('who is refused by the name is not counted by the address, nor the other way round', async () => {
    const [name, address] = [newName(), newAddress()];
    for (let i = 0; i < 5; i++) await fail(name, newAddress());
    for (let i = 0; i < 30; i++) assert.notEqual(await fail(name, address), 0);
    assert.equal(await fail(newName(), address), 0);
    const blocked = newAddress();
    for (let i = 0; i < 20; i++) await fail(newName(), blocked);
    const other = newName();
    for (let i = 0; i < 10; i++) assert.notEqual(await fail(other, blocked), 0);
    assert.equal(await fail(other, newAddress()), 0);
  });

  test('a success forgets the failures of its name, and not those of others from the address', async () => {
    const [name, address] = [newName(), newAddress()];
    for (let i = 0; i < 4; i++) await fail(name, newAddress());
    await (await guessing.begin(name, newAddress())).succeeded();
    for (let i = 0; i < 5; i++) assert.equal(await fail(name, newAddress()), 0);

    for (let i = 0; i < 19; i++) {
      assert.equal(await fail(newName(), address), 0);
      await (await guessing.begin(newName(), address)).succeeded();
    }
    assert.equal(await fail(newName(), address), 0);
    assert.notEqual(await fail(newName(), address), 0);
  });

  test('an attempt that was neither counts for nothing', async () => {
    const [name, address] = [newName(), newAddress()];
    for (let i = 0; i < 40; i++) await (await guessing.begin(name, address)).takeBack();
    assert.equal(await fail(name, address), 0);
  });

  test('failures are forgotten after a day', async () => {
    const [name, address] = [newName(), newAddress()];
    for (let i = 0; i < 5; i++) await fail(name, address);
    clock.advance(86_400_000);
    for (let i = 0; i < 5; i++) assert.equal(await fail(name, address), 0);
    clock.advance(86_400_000);
    await guessing.cleanUp();
    assert.equal((await sql`SELECT 1 FROM sign_in_attempts`).length, 0);
  });

  test('two processes count together, and many attempts at once are not one', async () => {
    const other = connect(target, { max: 10 });
    atEnd(() => other.end());
    const second = new Guessing(other, clock);
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => fail(name, newAddress(), index % 2 ? guessing : second)),
    );
    assert.equal(answers.filter((seconds) => seconds === 0).length, 5);
  });

  test('no user name that was typed is kept', async () => {
    const name = newName();
    await fail(name, newAddress());
    assert.ok(!JSON.stringify(await sql`SELECT key FROM sign_in_attempts`).includes(name.slice(5)));
  });
});

describe('at the door', async () => {
  const service = await startTestService({ settings: { TRUST_PROXY: 'loopback' } });
  const from = (address: string) => new Browser(service.url, { 'x-forwarded-for': address });

  test('a right password has to wait like a wrong one, whether the person exists or not', async () => {
    await addPerson(service, 'target', 'viewer', service.demo.id);
    for (const username of ['target', 'who-is-not']) {
      await lockOut(service, () =>
        from(newAddress()).call('POST', '/session', { username, password: 'wrong' }),
      );
      const body = { username, password: PASSWORD };
      assert.equal(await from(newAddress()).refused('POST', '/session', body), '429 too-fast');
    }
    await service.advance(900);
    assert.equal(await from(newAddress()).signIn('target'), '200');
    assert.equal(await from(newAddress()).signIn('who-is-not'), '401 signed-out');
  });

  test('codes of a second factor and the own password are guessed no faster', async () => {
    await addPerson(service, 'careful', 'viewer', service.demo.id);
    const browser = from(newAddress());
    assert.equal(await browser.signIn('careful'), '200');
    const path = '/session/second-factor';
    const failed = await lockOut(service, () => browser.call('POST', path, { password: 'wrong' }));
    assert.equal(failed.status, 403);
    assert.equal(await browser.refused('POST', path, { password: PASSWORD }), '429 too-fast');
    await service.advance(900);
    await browser.ask('POST', '/session/second-factor', { password: PASSWORD });
    const [row] = await service.sql<{ id: number }[]>`SELECT id FROM people WHERE username = 'careful'`;
    await service.sql`UPDATE people SET totp_enabled_at = 1 WHERE id = ${row!.id}`;
    const guess = (code?: string) =>
      from(newAddress()).call('POST', '/session', { username: 'careful', password: PASSWORD, code });
    let [codes, asked] = [0, 0];
    await lockOut(service, async () => {
      const answer = await guess('x');
      if (answer.status === 403) codes += 1;
      // Asking for a code in between forgets nothing.
      if ((await guess()).status === 200) asked += 1;
      return answer;
    });
    assert.equal(codes, 11);
    assert.ok(asked >= 4);
    assert.equal((await guess('x')).status, 429);
  });
});
