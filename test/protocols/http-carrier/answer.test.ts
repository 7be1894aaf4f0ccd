import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { status } from '../../../server/kit/statuses.ts';
import { compileAnswer } from '../../../server/protocols/http-carrier/answer.ts';
import {
  type HttpDescriptionInput,
  httpDescription,
} from '../../../server/protocols/http-carrier/description.ts';
import { simple } from './support.ts';

type Answer = HttpDescriptionInput['answer'];

const judge = (answer: Answer, body: unknown, http = 200, headers: Record<string, string> = {}) =>
  compileAnswer(httpDescription.parse({ ...simple('https://x.example'), answer }))(
    { status: http, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
    '7001',
  );

const rules: Answer['rules'] = [
  { when: { status: 200, at: '/result', is: 'ok' }, then: 'accepted' },
  { when: { status: 200, at: '/result', is: 'busy' }, then: 'throttled', afterAt: '/wait' },
  { when: { status: 200, at: '/result', is: 'later' }, then: 'again' },
  { when: { status: 200, at: '/result', is: 'closed' }, then: 'again', fault: 'access' },
  { when: { status: 200, at: '/result', is: 'maybe' }, then: 'unknown' },
  { when: { status: 200, at: '/result', is: 'off' }, then: 'refused', as: 'unreachable' },
  { when: { status: '4xx' }, then: 'refused', as: 'rejected' },
];
const answer: Answer = {
  rules,
  id: '/ids/*',
  code: ['/error/code', '/error'],
  parts: '/parts',
  price: '/price',
};

describe('answers', () => {
  test('an accepted message has the ids of its parts, their number and the price', () => {
    assert.deepEqual(judge(answer, { result: 'ok', ids: ['a', 'b'], parts: '2', price: 'KES 0.8000' }), {
      kind: 'accepted',
      ids: ['a', 'b'],
      parts: 2,
      price: 0.8,
    });
    assert.deepEqual(judge(answer, { result: 'ok', ids: ['a'] }), { kind: 'accepted', ids: ['a'] });
  });

  test('an accepted message without its id is unknown', () => {
    assert.deepEqual(judge(answer, { result: 'ok' }), { kind: 'unknown' });
    assert.deepEqual(judge(answer, { result: 'ok', ids: ['', 'x'.repeat(101)] }), { kind: 'unknown' });
  });

  test('a provider without ids reports the id of the request', () => {
    assert.deepEqual(judge({ rules }, { result: 'ok' }), { kind: 'accepted', ids: ['7001'] });
  });

  test('the first rule that matches decides', () => {
    const both: Answer = {
      rules: [
        { when: { status: 200, at: '/code', is: 7 }, then: 'refused' },
        { when: { status: 200 }, then: 'accepted' },
      ],
    };
    assert.equal(judge(both, { code: 7 }).kind, 'refused');
    assert.equal(judge(both, { code: 8 }).kind, 'accepted');
  });

  test('an answer that no rule matches is unknown', () => {
    for (const [body, http] of [
      ['', 200],
      ['<html>', 502],
      ['{}', 500],
      ['{"result":"new"}', 200],
    ] as const)
      assert.deepEqual(judge(answer, body, http), { kind: 'unknown' });
    assert.deepEqual(judge(answer, { result: 'maybe' }), { kind: 'unknown' });
  });

  test('a refusal has the status of its rule, and the first code that exists', () => {
    assert.deepEqual(judge(answer, { result: 'off', error: { code: 21 } }), {
      kind: 'refused',
      status: status.outOfCoverage,
      code: '21',
    });
    assert.deepEqual(judge(answer, { error: 'bad\u0000 sender\nש' }, 400), {
      kind: 'refused',
      status: status.rejected,
      code: 'bad sender',
    });
    assert.deepEqual(judge(answer, '', 404), { kind: 'refused', status: status.rejected, code: 'HTTP_404' });
    const { code } = judge(answer, { error: 'x'.repeat(500) }, 404) as { code: string };
    assert.equal(code.length, 60);
  });

  test('a code has no phone number, and the code of a retry is a word', () => {
    const { code } = judge(answer, { error: 'Invalid number +972501234567, code 21211' }, 404) as {
      code: string;
    };
    assert.equal(code, 'Invalid number #, code 21211');
    const retried = judge(answer, { result: 'later', error: 'Try again in a while' });
    assert.deepEqual(retried, { kind: 'again', code: 'HTTP_200' });
    assert.deepEqual(judge(answer, { result: 'later', error: 'E_BUSY' }), { kind: 'again', code: 'E_BUSY' });
  });

  test('the wait is at its place, or in Retry-After, and has a limit', () => {
    const waitOf = (body: object, headers = {}) =>
      (judge(answer, body, 200, headers) as { afterMs?: number }).afterMs;
    assert.equal(waitOf({ result: 'busy', wait: '1.5' }), 1_500);
    assert.equal(waitOf({ result: 'busy', wait: 10_000_000 }), 3_600_000);
    assert.equal(waitOf({ result: 'busy', wait: 'soon' }), undefined);
    assert.equal(waitOf({ result: 'later' }, { 'retry-after': '30' }), 30_000);
    assert.equal(waitOf({ result: 'later' }, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 0);
    assert.equal(waitOf({ result: 'later' }), undefined);
  });

  test('a fault concerns the account', () => {
    assert.deepEqual(judge(answer, { result: 'closed' }), {
      kind: 'again',
      code: 'HTTP_200',
      fault: 'access',
    });
  });
});
