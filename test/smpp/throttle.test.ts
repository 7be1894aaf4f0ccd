import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Throttle } from '../../server/carriers/throttle.ts';

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

test('the first refusal pauses, those after it double the pause and cut the rate', () => {
  const throttle = new Throttle(1_000, 0);
  takeAll(throttle, 0);
  throttle.throttled(10);
  assert.equal(throttle.available(50), 0);
  assert.equal(throttle.wait(10), 100);
  assert.equal(throttle.rate, 1_000);
  // On its way when the pause began.
  throttle.throttled(60);
  assert.equal(throttle.wait(60), 50);

  let now = 110;
  const pauses: number[] = [];
  for (let i = 0; i < 8; i++) {
    throttle.throttled(now);
    pauses.push(throttle.wait(now));
    now += throttle.wait(now);
  }
  assert.deepEqual(pauses, [200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  assert.ok(throttle.rate < 1_000 && throttle.rate >= 10, `${throttle.rate}`);
});

test('the rate grows back while nothing is refused, and the pause starts over', () => {
  const throttle = new Throttle(1_000, 0);
  throttle.throttled(0);
  throttle.throttled(100);
  const cut = throttle.rate;
  assert.ok(cut < 1_000);
  throttle.available(2_000);
  assert.ok(throttle.rate > cut && throttle.rate < 1_000);
  throttle.available(200_000);
  assert.equal(throttle.rate, 1_000);
  throttle.throttled(200_000);
  assert.equal(throttle.wait(200_000), 100);
});
