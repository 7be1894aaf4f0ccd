import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mentions, replaceInJson } from '../../../server/modules/personal-data/mentions.ts';

/* Whether a text names a person: a number in any spelling, and never a longer one. */

const mentions = new Mentions(
  { phones: ['972501234567', '491512345678'], addresses: ['dana@example.com'], chatIds: ['IL.1349120865'] },
  '972',
);
const x = () => 'X';

test('a number is found in every spelling', () => {
  for (const spelling of [
    '972501234567',
    '+972501234567',
    '00972501234567',
    '0501234567',
    '050-1234567',
    '050-123-4567',
    '050 123 4567',
    '+972 50-123-4567',
    '+972-50-1234567',
    '(050) 123-4567',
    '9720501234567',
    '+49 151 2345678',
  ]) {
    assert.ok(mentions.in(`call ${spelling} now`), spelling);
    assert.ok(!/\d{4}/.test(mentions.replace(`call ${spelling} now`, x)), mentions.replace(spelling, x));
  }
});

test('a longer number, or another one, is not', () => {
  for (const other of [
    '9725012345678',
    '1972501234567',
    '05012345678',
    '972501234568',
    '4915123456789',
    '49151234567',
    '050-123-45678',
    '1,000,501,234,567',
  ]) {
    assert.equal(mentions.replace(other, x), other);
  }
});

test('a number among others is found alone', () => {
  assert.equal(mentions.replace('2 0501234567 3', x), '2 X 3');
  const many = Array.from({ length: 40 }, (_, index) => String(index)).join(' ');
  assert.equal(mentions.replace(`${many} 050 1234567 ${many}`, x), `${many} X ${many}`);
});

test('an address and an id are found whole, in small and capital letters', () => {
  assert.equal(mentions.replace('to Dana@Example.com.', x), 'to X.');
  assert.equal(mentions.replace('<dana@example.com>, IL.1349120865', x), '<X>, X');
  for (const other of ['adana@example.com', 'x-dana@example.com', 'dana@example.comx', 'IL.13491208651']) {
    assert.equal(mentions.replace(other, x), other);
  }
});

test('JSON stays JSON: texts, numbers and names of fields', () => {
  const json = JSON.stringify({
    phone: 972501234567,
    to: ['0501234567', 7],
    dana: { 'dana@example.com': true },
  });
  assert.deepEqual(JSON.parse(replaceInJson(json, mentions, x)), {
    phone: 'X',
    to: ['X', 7],
    dana: { X: true },
  });
  assert.equal(replaceInJson('no JSON 0501234567', mentions, x), 'no JSON X');
});
