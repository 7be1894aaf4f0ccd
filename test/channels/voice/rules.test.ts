import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWithin, parseHours } from '../../../server/kit/day-hours.ts';
import { createKosherCheck, kosherTable } from '../../../server/kit/numbers/kosher.ts';
import { parseLocal } from '../../../server/kit/time-zones.ts';

const zone = 'Asia/Jerusalem';
const at = (text: string) => parseLocal(text, zone)!;

test('the table of kosher prefixes is of Israeli numbers, and says where it comes from and when', () => {
  assert.match(kosherTable.date, /^\d{4}-\d\d-\d\d$/);
  assert.ok(kosherTable.source.length > 20);
  for (const prefix of kosherTable.prefixes) assert.match(prefix, /^972(5\d{3,4}|[23489]80)$/);
  assert.equal(new Set(kosherTable.prefixes).size, kosherTable.prefixes.length);
});

test('a kosher number is recognized by its first digits', () => {
  const isKosher = createKosherCheck(kosherTable.prefixes);
  for (const phone of ['972527112345', '972548412345', '972554001234', '97228012345'])
    assert.ok(isKosher(phone), phone);
  for (const phone of ['972501234567', '972527012345', '972554101', '12125550123', '']) {
    assert.equal(isKosher(phone), phone === '972554101', phone);
  }
  assert.equal(createKosherCheck(['97250'])('972501234567'), true);
  assert.equal(createKosherCheck(['97250'])('972527112345'), false);
});

test('calls ring again within the hours of the account’s day', () => {
  const hours = parseHours('08:00-21:30')!;
  const cases: [string, string][] = [
    ['24/03/26 08:00', '24/03/26 08:00'],
    ['24/03/26 21:29', '24/03/26 21:29'],
    ['24/03/26 21:30', '25/03/26 08:00'],
    ['24/03/26 07:59', '24/03/26 08:00'],
    ['24/03/26 00:00', '24/03/26 08:00'],
    // The night in which the clock is set on.
    ['26/03/26 23:00', '27/03/26 08:00'],
    ['31/12/26 23:59', '01/01/27 08:00'],
  ];
  for (const [given, expected] of cases)
    assert.equal(firstWithin(hours, at(given), zone), at(expected), given);
  const night = parseHours('20:00-02:00')!;
  assert.equal(firstWithin(night, at('24/03/26 01:59'), zone), at('24/03/26 01:59'));
  assert.equal(firstWithin(night, at('24/03/26 02:00'), zone), at('24/03/26 20:00'));
  assert.equal(firstWithin(night, at('24/03/26 23:00'), zone), at('24/03/26 23:00'));
  const always = parseHours('00:00-24:00')!;
  for (const time of ['24/03/26 00:00', '24/03/26 23:59'])
    assert.equal(firstWithin(always, at(time), zone), at(time));
});

test('invalid hours are refused', () => {
  for (const text of [
    '',
    '8-21',
    '08:00',
    '08:00-08:00',
    '24:00-08:00',
    '08:60-09:00',
    '08:00-24:01',
    '08:00-21:00 ',
  ]) {
    assert.equal(parseHours(text), null, text);
  }
});
