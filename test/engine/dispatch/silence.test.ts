import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Silence } from '../../../server/engine/dispatch/silence.ts';

const rule = { codes: new Set<string>(), throttledMs: 1_000, silentMs: 10_000 };
const yes = () => true;

/** A carrier that took messages at a time and reported none. */
function silentSince(at: number, messages = 20): Silence {
  const silence = new Silence();
  for (let i = 0; i < messages; i++) silence.took(at);
  return silence;
}

test('a connector without receipts is left while others get some', () => {
  const silence = silentSince(0);
  assert.equal(silence.isLeft(rule, 10_000, yes), false);
  assert.equal(
    silence.isLeft(rule, 10_001, () => false),
    false,
  );
  assert.equal(silence.isLeft(rule, 10_001, yes), true);
  // As long as the rule says, whatever others get.
  assert.equal(
    silence.isLeft(rule, 20_000, () => false),
    true,
  );
  assert.equal(silence.isLeft(rule, 20_001, yes), false);
});

test('a few messages without a receipt are not enough, and a receipt starts the count again', () => {
  assert.equal(silentSince(0, 19).isLeft(rule, 60_000, yes), false);
  const silence = silentSince(0);
  silence.reported(9_000);
  assert.equal(silence.isLeft(rule, 60_000, yes), false);
  assert.equal(silence.wasReported(1_000, 10_000), true);
  assert.equal(silence.wasReported(1_000, 10_001), false);
});

test('it is left twice as long each time that nothing has changed, up to eight times', () => {
  const silence = silentSince(0);
  const pauses: number[] = [];
  let now = 0;
  for (let round = 0; round < 6; round++) {
    now += 10_001;
    assert.equal(silence.isLeft(rule, now, yes), true);
    const from = now;
    while (silence.isLeft(rule, now, yes)) now += 1_000;
    pauses.push(now - from);
    for (let i = 0; i < 20; i++) silence.took(now);
  }
  assert.deepEqual(pauses, [10_000, 20_000, 40_000, 80_000, 80_000, 80_000]);
  // A receipt ends that.
  silence.reported(now);
  for (let i = 0; i < 20; i++) silence.took(now);
  now += 10_001;
  assert.equal(silence.isLeft(rule, now, yes), true);
  assert.equal(silence.isLeft(rule, now + 10_000, yes), false);
});

test('a connector whose carrier has taken nothing for some time because it is busy is left', () => {
  const silence = new Silence();
  silence.throttled(0);
  silence.throttled(900);
  assert.equal(silence.isLeft(rule, 1_000, yes), false);
  assert.equal(silence.isLeft(rule, 1_001, yes), true);
  assert.equal(silence.isLeft(rule, 2_000, yes), true);
  assert.equal(silence.isLeft(rule, 2_001, yes), false);
  silence.throttled(3_000);
  silence.took(3_900);
  silence.throttled(3_950);
  assert.equal(silence.isLeft(rule, 4_200, yes), false);
  // Other rules judge by their own times.
  assert.equal(silence.isLeft({ codes: new Set(), throttledMs: 200 }, 4_200, yes), true);
  assert.equal(silence.isLeft({ codes: new Set() }, 4_200, yes), false);
});
