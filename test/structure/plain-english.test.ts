import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf, type Role } from '../../tools/plain-english-rules.ts';

/** Sentences that readers had to read twice, and what they say now. */
const rewritten: readonly (readonly [Role, before: string, after: string])[] = [
  ['operation', 'The newest first.', 'Lists the requests, newest first.'],
  ['operation', 'With a clean record.', 'Enables the endpoint and resets its failure counters.'],
  ['field', 'When it was made', 'Time of creation'],
  ['field', 'Of the bind.', '`system_id` of the bind.'],
  ['field', 'What it is for.', 'Purpose of the token.'],
  ['prose', 'What is given is changed.', 'Updates the given fields.'],
  ['prose', 'Who has no session after so long is refused.', 'Milliseconds to wait for a free session.'],
  ['prose', 'Returns the rows that are there.', 'Returns the existing rows.'],
  ['prose', 'The owner is told of it.', 'The alert notifies the owner.'],
  ['prose', 'Items that wait for so long are dropped.', 'Items that wait longer than the limit are dropped.'],
  ['prose', 'A subscriber has none.', 'A subscriber has no subscribers.'],
  ['prose', 'The message was given up.', 'The message was abandoned.'],
  ['prose', 'It goes on where it was.', 'It continues where it stopped.'],
  ['prose', 'The template is reviewed anew.', 'The template is reviewed again.'],
  ['phrase', 'a user who is not in a list any more', 'a user who is no longer in a list'],
  ['phrase', 'a command beside the service', 'a command while the service runs'],
  ['prose', 'The user has removed himself.', 'The user has unsubscribed.'],
];

test('each rule rejects the old sentence and accepts the new one', () => {
  for (const [role, before, after] of rewritten) {
    assert.notEqual(problemOf(before, role), undefined, before);
    assert.equal(problemOf(after, role), undefined, after);
  }
});

test('questions and comparisons are permitted', () => {
  for (const sentence of ['What does a message cost?', 'It waits so long that it expires.']) {
    assert.equal(problemOf(sentence, 'prose'), undefined, sentence);
  }
});
