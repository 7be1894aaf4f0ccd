import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeywordFinder } from '../../../server/modules/conversations/keywords.ts';
import { fillVariables } from '../../../server/modules/conversations/reply-variables.ts';
import { RuleSet } from '../../../server/modules/conversations/rule-set.ts';
import type { ConversationRule } from '../../../server/modules/conversations/rules.ts';

/* Which rules a message is for. */

let made = 0;
const rule = (over: Partial<ConversationRule>): ConversationRule => ({
  id: ++made,
  name: `Rule ${made}`,
  enabled: true,
  stopped: null,
  channels: [],
  senders: [],
  keywords: [],
  match: 'contains',
  when: 'always',
  first_only: false,
  saved_reply_id: null,
  reply_text: 'Hello',
  label_ids: [],
  assignee_id: null,
  assign_by_turns: false,
  webhook: false,
  stop: false,
  ...over,
});
const message = (text: string, over: object = {}) => ({
  channel: 'sms',
  sender: '972550000001',
  text,
  isFirst: false,
  isOpen: () => true,
  ...over,
});
const matches = (over: Partial<ConversationRule>, text: string, more: object = {}) =>
  new RuleSet([rule(over)]).matching(message(text, more)).length === 1;

test('a keyword is compared without case, vowel signs and punctuation around', () => {
  const price = (match: ConversationRule['match']) => (text: string) =>
    matches({ keywords: ['Price', 'כמה עולה'], match }, text);
  assert.deepEqual(['PRICE', ' "price?" ', 'the price', 'כמה עולה?'].map(price('exact')), [
    true,
    true,
    false,
    true,
  ]);
  assert.deepEqual(['price list', 'the price', 'כַּמָּה  עולֶה זה'].map(price('starts')), [true, false, true]);
  assert.deepEqual(['The PRICE list', 'מה המחיר', 'אז כמה  עולה', 'pri ce'].map(price('contains')), [
    true,
    false,
    true,
    false,
  ]);
  assert.equal(matches({ keywords: [] }, 'anything'), true);
  assert.equal(matches({ keywords: ['hi'] }, ''), false);
});

test('all conditions have to hold', () => {
  const chat = { channels: ['chat'] };
  assert.deepEqual([matches(chat, 'x'), matches(chat, 'x', { channel: 'chat' })], [false, true]);
  const sender = { senders: ['972550000002'] };
  assert.deepEqual([matches(sender, 'x'), matches(sender, 'x', { sender: '972550000002' })], [false, true]);
  const first = { first_only: true };
  assert.deepEqual([matches(first, 'x'), matches(first, 'x', { isFirst: true })], [false, true]);
  const closed = { isOpen: () => false };
  assert.deepEqual(
    (['always', 'open-hours', 'closed-hours'] as const).map((when) => [
      matches({ when }, 'x'),
      matches({ when }, 'x', closed),
    ]),
    [
      [true, true],
      [true, false],
      [false, true],
    ],
  );
  assert.equal(matches({ enabled: false }, 'x'), false);
  assert.equal(matches({ ...chat, keywords: ['x'] }, 'x'), false);
});

test('rules match in their order, up to the first that stops', () => {
  const set = new RuleSet([
    rule({ name: 'a', keywords: ['hello'] }),
    rule({ name: 'b', keywords: ['bye'], stop: true }),
    rule({ name: 'c', enabled: false, stop: true }),
    rule({ name: 'd', stop: true }),
    rule({ name: 'e' }),
  ]);
  const names = (text: string) => set.matching(message(text)).map(({ name }) => name);
  assert.deepEqual(names('hello'), ['a', 'd']);
  assert.deepEqual(names('hello and bye'), ['a', 'b']);
  assert.deepEqual(names('what'), ['d']);
});

test('keywords are found wherever they overlap, as a search for each of them finds them', () => {
  const keywords = ['he', 'she', 'his', 'hers', 'a', 'aa', 'aaa', 'ab', 'bab', 'שלום', 'לום', '😀b'];
  const finder = new KeywordFinder(keywords);
  const letters = ['a', 'b', 'h', 'e', 's', 'r', 'i', 'של', 'ום', '😀'];
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed;
  };
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: next() % 20 }, () => letters[next() % letters.length]).join('');
    const expected = keywords.filter((keyword) => text.includes(keyword));
    assert.deepEqual([...finder.find(text)].toSorted(), expected.toSorted(), text);
  }
  assert.deepEqual([...new KeywordFinder([]).find('text')], []);
});

test('names replace variables, with their defaults for unknown names', () => {
  const names = { client_name: 'Noa', agent_name: 'Dana' };
  const none = { client_name: ' ', agent_name: '' };
  const text = 'Hello {{client_name|friend}}, {{ agent_name }} here. {{other}} {{client_name';
  assert.equal(fillVariables(text, names), 'Hello Noa, Dana here. {{other}} {{client_name');
  assert.equal(fillVariables(text, none), 'Hello friend,  here. {{other}} {{client_name');
  // A name is a text, and no pattern of a replacement.
  assert.equal(
    fillVariables('{{client_name}}', { ...names, client_name: '$& {{agent_name}}' }),
    '$& {{agent_name}}',
  );
});
