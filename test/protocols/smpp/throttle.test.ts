import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Throttle } from '../../../server/engine/carriers/throttle.ts';

/** Takes all there is. */
function takeAll(throttle: Throttle, now: number): number {
  const count = throttle.available(now);
  for (let i = 0; i < count; i++) throttle.take(now);
  return count;
}

test('without a limit there is no limit', () => {
  const throttle = new Throttle(0, 0);
  assert.equal(throttle.available(0), Number.POSITIVE_INFINITY);
  assert.equal(throttle.wait(0), 0);
});

test('never more than the rate and one burst, however it is asked', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }),
      (rate, steps) => {
        const throttle = new Throttle(rate, 0);
        let now = 0;
        let taken = takeAll(throttle, now);
        for (const step of steps) {
          now += step;
          taken += takeAll(throttle, now);
        }
        assert.ok(taken <= (rate * now) / 1000 + Math.max(1, rate * 0.05) + 1e-6, `${taken} in ${now} ms`);
      },
    ),
  );
});

test('after the wait there is something', () => {
  for (const rate of [0.5, 1, 7, 100, 5_000]) {
    const throttle = new Throttle(rate, 0);
    let now = 0;
    for (let i = 0; i < 50; i++) {
      takeAll(throttle, now);
      now += throttle.wait(now);
      assert.ok(throttle.available(now) >= 1, `rate ${rate}`);
    }
  }
});

/** A network: whether it takes a message that is submitted at `now`, in milliseconds. */
type Network = (now: number) => boolean;

const LATENCY_MS = 20;
const WINDOW = 100;

/** What a network takes a second through a throttle, and the share that it refuses, after five seconds to learn. */
function drive(network: Network, seconds = 60, configured = 0): { rate: number; refused: number } {
  const throttle = new Throttle(configured, 0);
  const flights: { at: number; isTaken: boolean }[] = [];
  let taken = 0;
  let refused = 0;
  for (let now = 0; now < seconds * 1_000; now++) {
    while (flights.length > 0 && flights[0]!.at <= now) {
      const { isTaken } = flights.shift()!;
      if (isTaken) throttle.accepted(now);
      else throttle.throttled(now);
      if (now < 5_000) continue;
      if (isTaken) taken++;
      else refused++;
    }
    let room = Math.min(WINDOW - flights.length, throttle.available(now));
    for (; room > 0; room--) {
      throttle.take(now);
      flights.push({ at: now + LATENCY_MS, isTaken: network(now) });
    }
  }
  return { rate: taken / (seconds - 5), refused: refused / (taken + refused) };
}

/** So many a second and a tenth of a second's worth at once. */
function steady(rate: (now: number) => number): Network {
  let tokens = 0;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(rate(now) / 10, tokens + ((now - filledAt) * rate(now)) / 1_000);
    filledAt = now;
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}

/** So many in each second of the clock, and nothing in what is left of it. */
function bySecond(rate: number): Network {
  let second = -1;
  let count = 0;
  return (now) => {
    if (Math.floor(now / 1_000) !== second) {
      second = Math.floor(now / 1_000);
      count = 0;
    }
    return count++ < rate;
  };
}

/** Refuses a share of all messages, whatever the rate. */
function atRandom(share: number, seed: number): Network {
  const next = random(seed);
  return () => next() >= share;
}

/** A generator of numbers in [0, 1) (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function assertMet(network: Network, ideal: number, maxRefused: number, configured = 0): void {
  const { rate, refused } = drive(network, 60, configured);
  assert.ok(rate >= 0.8 * ideal, `${rate.toFixed(0)} a second of ${ideal}`);
  assert.ok(refused <= maxRefused, `${(refused * 100).toFixed(0)} % refused`);
}

test('a network with a limit is met at its limit', () => {
  for (const rate of [20, 100, 1_000, 3_000])
    assertMet(
      steady(() => rate),
      rate,
      0.25,
    );
  assertMet(
    steady(() => 1_000),
    1_000,
    0.1,
    2_000,
  );
  for (const rate of [100, 1_000]) {
    const met = drive(steady(() => rate));
    assert.ok(met.rate >= 0.9 * rate && met.refused <= 0.05, JSON.stringify(met));
  }
});

test('a network that counts by the second is met at its limit', () => {
  for (const rate of [50, 500, 2_000]) assertMet(bySecond(rate), rate, 0.25);
});

test('a network that refuses at random is not slowed down for', () => {
  const fastest = (WINDOW * 1_000) / LATENCY_MS;
  for (const seed of [1, 2, 3]) {
    assertMet(atRandom(0.35, seed), 0.65 * fastest, 0.4);
    assertMet(atRandom(0.1, seed), 0.9 * fastest, 0.15);
    const limit = steady(() => 1_000);
    const some = atRandom(0.2, seed);
    assertMet((now) => some(now) && limit(now), 1_000, 0.4);
    assertMet(atRandom(0.7, seed), 0.3 * fastest, 0.75);
  }
});

test('random refusals while there is little to send do not slow down a later campaign', () => {
  for (const seed of [1, 2, 3]) {
    for (const share of [0.1, 0.2, 0.35]) {
      const network = atRandom(share, seed);
      const throttle = new Throttle(0, 0);
      const answer = (now: number) => (network(now) ? throttle.accepted(now) : throttle.throttled(now));
      let taken = 0;
      for (let now = 0; now < 10_000; now++) {
        // A hundred messages a second at first, then 5,000.
        const wanted = now < 5_000 ? Number(now % 10 === 0) : 5;
        for (let room = Math.min(wanted, throttle.available(now)); room > 0; room--) {
          throttle.take(now);
          answer(now);
          if (now >= 5_000) taken++;
        }
      }
      assert.ok(taken >= 0.8 * 25_000, `${taken} of 25,000 at ${share}`);
    }
  }
});

test('a network that takes nothing for a while is back at its rate when it does again', () => {
  assertMet((now) => now % 10_000 >= 2_000, 4_000, 0.05);
  assertMet((now) => now % 2_000 >= 500, 3_750, 0.05);
  const limit = steady(() => 500);
  assertMet((now) => now % 10_000 >= 2_000 && limit(now), 400, 0.2);
});

/**
 * How long an urgent message takes from its arrival until the network has taken it, in milliseconds, while an endless
 * campaign is sent over the same connection: one urgent message every 100 ms, before all others, for 20 s after the first three.
 */
function urgentTimes(network: Network, latencyMs: number): number[] {
  const throttle = new Throttle(0, 0);
  const flights: { at: number; isTaken: boolean; arrivedAt: number | undefined }[] = [];
  const urgent: number[] = [];
  const times: number[] = [];
  for (let now = 0; now < 23_000; now++) {
    while (flights.length > 0 && flights[0]!.at <= now) {
      const { isTaken, arrivedAt } = flights.shift()!;
      if (isTaken) throttle.accepted(now);
      else throttle.throttled(now);
      if (arrivedAt === undefined) continue;
      if (!isTaken) urgent.unshift(arrivedAt);
      else if (arrivedAt >= 3_000) times.push(now - arrivedAt);
    }
    if (now % 100 === 37) urgent.push(now);
    // A service submits about 12,000 a second where nothing holds it back.
    let room = Math.min(500 - flights.length, throttle.available(now), 12);
    for (; room > 0; room--) {
      throttle.take(now);
      flights.push({ at: now + latencyMs, isTaken: network(now), arrivedAt: urgent.shift() });
    }
  }
  return times.sort((a, b) => a - b);
}

test('an urgent message is accepted within 250 ms during a campaign that meets the limit of the network', () => {
  const phases = [0, 130, 370, 500, 640, 870, 960];
  const networks: (() => Network)[] = [
    ...phases.map((phase) => () => {
      const network = bySecond(1_000);
      return (now: number) => network(now + phase);
    }),
    ...[50, 200, 500, 2_000, 5_000].map((rate) => () => bySecond(rate)),
    ...[20, 100, 1_000, 3_000].map((rate) => () => steady(() => rate)),
  ];
  for (const network of networks) {
    for (const latencyMs of [2, 20]) {
      const times = urgentTimes(network(), latencyMs);
      assert.ok(times.length >= 195, `${times.length} were taken`);
      const p99 = times[Math.ceil(times.length * 0.99) - 1]!;
      assert.ok(p99 <= 250, `p99 ${p99} ms`);
    }
  }
});

test('a limit that falls and rises is followed', () => {
  const limit = steady((now) => (now % 40_000 < 20_000 ? 1_000 : 100));
  assertMet(limit, (35 * 1_000 + 20 * 100) / 55, 0.3);
});

test('a single refusal changes nothing', () => {
  const throttle = new Throttle(1_000, 0);
  for (let now = 0; now < 10_000; now++) {
    for (let left = takeAll(throttle, now); left > 0; left--) throttle.accepted(now);
    if (now === 5_000) throttle.throttled(now);
  }
  assert.equal(throttle.rate, 1_000);
  assert.ok(throttle.available(10_000) >= 1);
});

test('while the network accepts nothing, one message at a time tries, after short pauses in the first second and then longer ones', () => {
  const throttle = new Throttle(0, 0);
  let now = 0;
  let refusals = 0;
  while (throttle.available(now) > 1) {
    throttle.take(now);
    throttle.throttled(now);
    assert.ok(++refusals <= 30);
  }
  const pauses: number[] = [];
  for (let i = 0; i < 34; i++) {
    pauses.push(throttle.wait(now));
    now += throttle.wait(now);
    assert.equal(throttle.available(now), 1);
    throttle.take(now);
    assert.equal(throttle.available(now), 0);
    throttle.throttled(now);
  }
  const short = Array.from({ length: 25 }, () => 40);
  assert.deepEqual(pauses, [10, 20, ...short, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
  now += throttle.wait(now);
  throttle.take(now);
  throttle.accepted(now);
  assert.equal(throttle.available(now), Number.POSITIVE_INFINITY);
});

test('a network that says how long it wants to be left alone is left alone', () => {
  const throttle = new Throttle(1_000, 0);
  throttle.throttled(0, 3_000);
  assert.equal(throttle.wait(0), 3_000);
  assert.equal(throttle.available(2_999), 0);
  assert.equal(throttle.available(3_000), 1);
});

test('a trial that is never answered does not hold everything up', () => {
  const throttle = new Throttle(100, 0);
  throttle.throttled(0, 100);
  throttle.take(100);
  assert.equal(throttle.available(1_000), 0);
  const wait = throttle.wait(1_000);
  assert.equal(throttle.available(1_000 + wait), 1);
});
