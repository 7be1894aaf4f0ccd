import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSmppTime, writeSmppTime } from '../../../server/protocols/smpp/times.ts';

/* Times of SMPP 3.4, 7.1.1. */

const now = Date.UTC(2026, 2, 24, 7, 31, 5, 250);
const cases: readonly (readonly [text: string, expected: number | null | undefined, at?: number])[] = [
  ['', null],
  // Absolute: tenths, and quarter hours from UTC.
  ['260324073105000+', Date.UTC(2026, 2, 24, 7, 31, 5)],
  ['260324073105900+', Date.UTC(2026, 2, 24, 7, 31, 5, 900)],
  ['260324093105008+', Date.UTC(2026, 2, 24, 7, 31, 5)],
  ['260324023105020-', Date.UTC(2026, 2, 24, 7, 31, 5)],
  ['260324073105048+', Date.UTC(2026, 2, 23, 19, 31, 5)],
  // Relative: calendar years and months, then the rest.
  ['000000000130000R', now + 90_000],
  ['000001000000000R', now + 86_400_000],
  ['000100000000000R', Date.UTC(2026, 3, 24, 7, 31, 5, 250)],
  ['010000000000000R', Date.UTC(2027, 2, 24, 7, 31, 5, 250)],
  // Days that the next month does not have.
  ['000100000000000R', Date.UTC(2026, 1, 28, 7, 31, 5, 250), Date.UTC(2026, 0, 31, 7, 31, 5, 250)],
  // No times.
  ['260324240000000+', undefined],
  ['260024073105000+', undefined],
  ['260324073105049+', undefined],
  ['261324073105000+', undefined],
  ['260230073105000+', undefined],
  ['260324243105000+', undefined],
  ['2603240731050', undefined],
  ['260324073105000', undefined],
  ['26032407310500xR', undefined],
  ['tomorrow', undefined],
];

for (const [text, expected, at = now] of cases) {
  test(`"${text}" is ${expected === undefined ? 'no time' : expected === null ? 'empty' : 'a time'}`, () => {
    assert.equal(readSmppTime(text, at), expected);
  });
}

test('a written time is read as the same time', () => {
  const time = Date.UTC(2026, 11, 31, 23, 59, 59, 900);
  assert.equal(writeSmppTime(time), '261231235959900+');
  assert.equal(readSmppTime(writeSmppTime(time), now), time);
});
