import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { connect } from '../../../server/database/connection.ts';
import { Refusal } from '../../../server/kit/errors.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import type { Subject } from '../../../server/modules/login-throttle/attempt.ts';
import { FailureCounters, LoginThrottled } from '../../../server/modules/login-throttle/counters.ts';
import { KNOWN_MS } from '../../../server/modules/login-throttle/known-places.ts';
import { LoginThrottle } from '../../../server/modules/login-throttle/login-throttle.ts';
import type { AuditEntry } from '../../../server/modules/people/audit.ts';
import { atEnd, createDatabase } from '../../support/database.ts';

const { sql, target } = await createDatabase();
let time = Date.now();
/** It stands still: what is done in no time has no pause over. */
const clock = {
  now: () => time,
  advance(milliseconds: number) {
    time += milliseconds;
  },
};
const lines: string[] = [];
const log = createLogger('info', { write: (line) => void lines.push(line) });
const entries: AuditEntry[] = [];
const audit = { write: async (entry: AuditEntry) => void entries.push(entry) };
const throttle = new LoginThrottle({ sql, clock, log, audit });
beforeEach(() => {
  lines.length = 0;
  entries.length = 0;
});

let last = 0;
/** An address that nobody has used yet. */
function newAddress(): string {
  last += 1;
  return `198.51.${last >> 8}.${last & 255}`;
}
const newName = () => `name-${randomUUID()}`;
function newSubject(): Subject {
  last += 1;
  return { accountId: 7, personId: last, username: newName() };
}

interface AttemptInput {
  readonly who?: Subject | undefined;
  readonly typed?: string;
  readonly address?: string;
  readonly device?: string;
  readonly by?: LoginThrottle;
}

const attemptOf = ({ who, typed, address, device }: AttemptInput) => ({
  endpoint: 'POST /v1/session',
  among: 'people' as const,
  typed: typed ?? who?.username ?? newName(),
  who,
  place: { address: address ?? newAddress(), device },
});

/** Fails; how many seconds one has to wait, if it is too early for an attempt. */
async function fail(input: AttemptInput): Promise<number> {
  try {
    await (input.by ?? throttle).run(attemptOf(input), async () => {
      throw new Refusal('signed-out', 'wrong');
    });
  } catch (error) {
    if (error instanceof LoginThrottled) return error.seconds;
    assert.equal((error as Refusal).code, 'signed-out');
    return 0;
  }
  throw new Error('it did not fail');
}

const succeed = (input: AttemptInput) =>
  throttle.run(attemptOf(input), async () => ({ value: undefined, proven: true }));

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

describe('strangers', () => {
  test('by one name from anywhere: five failures are free, then pauses double up to a quarter of an hour', async () => {
    for (const given of [{ typed: newName() }, { who: newSubject() }]) {
      const pauses = await pausesOf(17, () => fail(given));
      assert.deepEqual(pauses.slice(0, 16), [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    }
  });

  test('by one address with any names: twenty failures are free', async () => {
    const address = newAddress();
    const pauses = await pausesOf(24, () => fail({ address }));
    assert.deepEqual(pauses.slice(0, 23), [...new Array<number>(19).fill(0), 1, 2, 4, 8]);
  });

  test('names are the same in any case; another name is not held up', async () => {
    const name = newName();
    for (let i = 0; i < 5; i++) assert.equal(await fail({ typed: name }), 0);
    assert.notEqual(await fail({ typed: name.toUpperCase() }), 0);
    assert.equal(await fail({ typed: `${name}2` }), 0);
  });

  test('a network of IPv6 is one address, and an IPv4 address is the same in IPv6', async () => {
    for (let i = 0; i < 20; i++) assert.equal(await fail({ address: `2001:db8:1:2::${i}` }), 0);
    assert.notEqual(await fail({ address: '2001:db8:1:2:ffff::1' }), 0);
    assert.equal(await fail({ address: '2001:db8:1:3::1' }), 0);
    const address = newAddress();
    for (let i = 0; i < 20; i++) assert.equal(await fail({ address: `::ffff:${address}` }), 0);
    assert.notEqual(await fail({ address }), 0);
  });

  test('an attempt that is refused by the name is not counted by the address, nor the other way round', async () => {
    const [typed, address] = [newName(), newAddress()];
    for (let i = 0; i < 5; i++) await fail({ typed });
    for (let i = 0; i < 30; i++) assert.notEqual(await fail({ typed, address }), 0);
    assert.equal(await fail({ address }), 0);
    const blocked = newAddress();
    for (let i = 0; i < 20; i++) await fail({ address: blocked });
    const other = newName();
    for (let i = 0; i < 10; i++) assert.notEqual(await fail({ typed: other, address: blocked }), 0);
    assert.equal(await fail({ typed: other }), 0);
  });

  test('a success, a missing code and a fault of ours count for nothing, and forget nothing', async () => {
    const [who, address] = [newSubject(), newAddress()];
    for (let i = 0; i < 4; i++) await fail({ who, address });
    const attempt = attemptOf({ who, address });
    for (let i = 0; i < 20; i++) {
      await succeed({ who, address });
      await throttle.run(attempt, async () => ({ value: null, proven: false }));
      await assert.rejects(
        throttle.run(attempt, () => Promise.reject(new Error('the database is away'))),
        /away/,
      );
    }
    assert.equal(await fail({ who, address }), 0);
    assert.notEqual(await fail({ who, address }), 0);
  });

  test('failures are forgotten a day after the last one', async () => {
    const [typed, address] = [newName(), newAddress()];
    for (let i = 0; i < 5; i++) await fail({ typed, address });
    clock.advance(86_400_000);
    for (let i = 0; i < 5; i++) assert.equal(await fail({ typed, address }), 0);
    clock.advance(86_400_000);
    await throttle.cleanUp();
    assert.equal((await sql`SELECT 1 FROM sign_in_attempts`).length, 0);
  });

  test('two processes count together, and concurrent attempts count separately', async () => {
    const other = connect(target, { max: 10 });
    atEnd(() => other.end());
    const second = new LoginThrottle({ sql: other, clock, log, audit });
    const typed = newName();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => fail({ typed, by: index % 2 ? throttle : second })),
    );
    assert.equal(answers.filter((seconds) => seconds === 0).length, 5);
  });

  test('no user name that was typed is kept, nor logged', async () => {
    const typed = newName();
    await fail({ typed });
    const kept = JSON.stringify([await sql`SELECT key FROM sign_in_attempts`, lines, entries]);
    assert.ok(!kept.includes(typed.slice(5)));
  });

  test('of a flood of names the rows that are kept are bounded, and running pauses are among them', async () => {
    const typed = newName();
    for (let i = 0; i < 5; i++) await fail({ typed });
    for (let i = 0; i < 30; i++) await fail({});
    assert.ok((await sql`SELECT 1 FROM sign_in_attempts`).length > 30);
    await new FailureCounters(sql, clock).cleanUp(10);
    assert.equal((await sql`SELECT 1 FROM sign_in_attempts`).length, 10);
    assert.notEqual(await fail({ typed }), 0);
  });
});

describe('places from which somebody has signed in', () => {
  test('an address has its own count, with pauses of a minute at most', async () => {
    const [who, address] = [newSubject(), newAddress()];
    await throttle.remember(who, { address }, false);
    const pauses = await pausesOf(16, () => fail({ who, address }));
    assert.deepEqual(pauses.slice(0, 15), [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    assert.equal(await fail({ who }), 0, 'and those are none of the strangers');
  });

  test('a device is recognized at any address; another subject with its token is a stranger', async () => {
    const who = newSubject();
    const device = (await throttle.remember(who, { address: newAddress() }, true))!;
    assert.match(device, /^[\w-]{43}$/);
    for (let i = 0; i < 5; i++) await fail({ who });
    assert.notEqual(await fail({ who }), 0);
    await succeed({ who, device });
    await assert.rejects(succeed({ who, device: device.replace(/.$/, '') }), LoginThrottled);
    const other = newSubject();
    for (let i = 0; i < 5; i++) await fail({ who: other, device });
    assert.notEqual(await fail({ who: other, device }), 0);
    assert.ok(!JSON.stringify(await sql`SELECT * FROM known_sign_ins`).includes(device));
  });

  test('a browser keeps its token, and a made up one is replaced', async () => {
    const [who, address] = [newSubject(), newAddress()];
    const device = (await throttle.remember(who, { address }, true))!;
    assert.equal(await throttle.remember(who, { address: newAddress(), device }, true), undefined);
    const made = 'x'.repeat(43);
    const replaced = await throttle.remember(who, { address, device: made }, true);
    assert.ok(replaced !== undefined && replaced !== made);
  });

  test('twenty are kept for each subject, the last used, for sixty days', async () => {
    const who = newSubject();
    const addresses = Array.from({ length: 25 }, newAddress);
    for (const address of addresses) {
      clock.advance(1_000);
      await throttle.remember(who, { address }, false);
    }
    const rows = await sql<{ place: string }[]>`
      SELECT place FROM known_sign_ins WHERE subject = ${`person:${who.personId}`}`;
    assert.deepEqual(
      rows.map(({ place }) => place).toSorted(),
      addresses
        .slice(5)
        .map((address) => `address:${address}`)
        .toSorted(),
    );
    clock.advance(KNOWN_MS);
    await throttle.cleanUp();
    assert.equal((await sql`SELECT 1 FROM known_sign_ins`).length, 0);
  });
});

describe('the trace', () => {
  test('each failure has a line with who was meant, from where and why', async () => {
    const [who, address] = [newSubject(), newAddress()];
    await fail({ who, address });
    await fail({ address });
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const { endpoint, reason, personId, accountId, address: from } = first!;
    assert.deepEqual(
      [endpoint, reason, personId, accountId, from],
      ['POST /v1/session', 'signed-out', who.personId, 7, address],
    );
    assert.deepEqual([second!.personId, second!.accountId, second!.address], [undefined, undefined, address]);
  });

  test('the audit log has the first five and then round counts, for all unknown names together', async () => {
    const who = newSubject();
    for (let failed = 0; failed < 23; ) {
      const seconds = await fail({ who });
      if (seconds > 0) clock.advance(seconds * 1_000);
      else failed += 1;
    }
    const counts = () => entries.map(({ after }) => after!.failures_of_the_day);
    assert.deepEqual(counts(), [1, 2, 3, 4, 5, 10, 20]);
    assert.ok(entries.every(({ personId, accountId }) => personId === who.personId && accountId === 7));
    clock.advance(86_400_000);
    entries.length = 0;
    for (let i = 0; i < 52; i++) await fail({});
    assert.deepEqual(counts(), [1, 2, 3, 4, 5, 10, 20, 50]);
    assert.ok(entries.every(({ personId, accountId }) => personId === undefined && accountId === 0));
  });
});
