import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Facts,
  type FraudGuardSettings,
  type Limits,
  prefixOf,
  type Rule,
  stops,
} from '../../../server/modules/fraud-guard/rules.ts';

/** The rules on their own: what they stop, and by how little they let through. */
const limits: Limits = { perPhoneHour: 5, perAccountMinute: 20 };
const fraudGuard: FraudGuardSettings = { maxSpend: 100, neighbours: 10, judged: 20, leastPercent: 20 };
const quiet: Facts = {
  toPhone: 0,
  ofAccount: 0,
  spent: 1,
  known: false,
  neighbours: 0,
  judged: 0,
  used: 0,
  sincePrefix: Number.POSITIVE_INFINITY,
};
const none: Limits = { perPhoneHour: 0, perAccountMinute: 0 };

const cases: [string, Partial<Facts>, Rule | null][] = [
  ['nothing is known', {}, null],
  ['the fifth to a phone', { toPhone: 4 }, null],
  ['the sixth to a phone', { toPhone: 5 }, 'phone-limit'],
  ['the twentieth of the account', { ofAccount: 19 }, null],
  ['the twenty-first of the account', { ofAccount: 20 }, 'account-limit'],
  ['limits hold for a known phone too', { toPhone: 5, known: true }, 'phone-limit'],
  ['spent to the last', { spent: 100 }, null],
  ['a ten-thousandth more', { spent: 101 }, 'spending-cap'],
  ['the cap holds for a known phone too', { spent: 101, known: true }, 'spending-cap'],
  ['nine neighbours', { neighbours: 9 }, null],
  ['ten neighbours', { neighbours: 10 }, 'neighbours'],
  ['ten neighbours of a known phone', { neighbours: 10, known: true }, null],
  ['too few to judge by', { judged: 19, used: 0, sincePrefix: 0 }, null],
  ['none of twenty used', { judged: 20, used: 0, sincePrefix: 0 }, 'conversion'],
  ['three of twenty used', { judged: 20, used: 3, sincePrefix: 59_999 }, 'conversion'],
  ['a fifth used', { judged: 20, used: 4, sincePrefix: 0 }, null],
  ['none used, and one minute has gone by', { judged: 20, used: 0, sincePrefix: 60_000 }, null],
  ['none used, to a known phone', { judged: 20, used: 0, sincePrefix: 0, known: true }, null],
];

for (const [what, facts, rule] of cases) {
  test(`${what}: ${rule ?? 'sent'}`, () => {
    assert.equal(stops({ ...quiet, ...facts }, limits, fraudGuard), rule);
  });
}

test('a limit or cap of 0 is off', () => {
  const busy = { ...quiet, toPhone: 1_000, ofAccount: 1_000, spent: 1e9 };
  assert.equal(stops(busy, none, { ...fraudGuard, maxSpend: 0 }), null);
});

test('without the fraud guard only the limits stop', () => {
  const pumped = { ...quiet, spent: 1e9, neighbours: 100, judged: 20, sincePrefix: 0 };
  assert.equal(stops(pumped, limits, undefined), null);
  assert.equal(stops({ ...pumped, toPhone: 5 }, limits, undefined), 'phone-limit');
});

test('a prefix is the first seven digits', () => {
  assert.equal(prefixOf('972501234567'), '9725012');
});
