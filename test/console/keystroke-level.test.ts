import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Step, secondsOf } from '../support/keystroke-level.ts';

const click: Step = { kind: 'click' };
const field = (text: string): Step => ({ kind: 'field', text });

test('a click takes preparation, pointing and the button', () => {
  assert.equal(secondsOf([]), 0);
  assert.equal(secondsOf([click]), 2.65);
  assert.equal(secondsOf([click, click]), 5.3);
});

test('a field takes a click, a move of the hand and its keys, and Shift counts as one key', () => {
  assert.equal(secondsOf([field('')]), 3.05);
  assert.equal(secondsOf([field('hi')]), 3.61);
  assert.equal(secondsOf([field('Hi_')]), 4.45);
});

test('the hand returns to the mouse after typing, and stays at the keyboard for a key', () => {
  assert.equal(secondsOf([field('hi'), click]), 6.66);
  assert.equal(secondsOf([field('hi'), field('hi')]), 7.62);
  assert.equal(secondsOf([field('hi'), { kind: 'key' }]), 3.89);
  assert.equal(secondsOf([click, { kind: 'key' }]), 3.33);
});

test('a file takes two clicks', () => {
  assert.equal(secondsOf([{ kind: 'file' }, click]), 7.95);
});
