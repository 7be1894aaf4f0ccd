import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerReader } from '../../../server/engine/events/answers.ts';
import type { Event } from '../../../server/engine/events/types.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { addAccount, record, startEvents, startReceiver } from './support.ts';

/* Answers to callbacks that an interface reads. */

const PAUSE_MS = 40_000;

/** Starts an instance with a receiver of callbacks. */
async function setting() {
  const { sql } = await createDatabase();
  await addAccount(sql, 1);
  const clock = new AdjustableClock();
  const events = await startEvents(sql, clock);
  const receiver = await startReceiver();
  const endpointId = await events.callbackEndpoints.of(1, receiver.url);
  const callback = (path: string): Event => ({
    type: 'status.callback',
    at: clock.now(),
    data: {
      message_id: 1,
      shipment_id: null,
      endpoint_id: endpointId,
      phone: '972501234567',
      method: 'POST',
      path,
      body: 'a=b',
      headers: [],
      expects: null,
      answer: { reader: 'test', terms: { path } },
    },
  });
  return {
    events,
    receiver,
    callback,
    sql,
    send: (path: string) => record(sql, events, 1, [callback(path)]),
    /** Lets the next attempt be due. */
    passTime: () => clock.advance(PAUSE_MS),
    delivery: (state: 'retrying' | 'failed' | 'done') =>
      waitFor(`a ${state} delivery`, async () => {
        const [row] = await events.pendingDeliveries({ accountId: 1, states: [state] });
        return row;
      }),
  };
}

const reader = (changes: Partial<AnswerReader>): AnswerReader => ({
  read: async () => undefined,
  instead: async () => undefined,
  ...changes,
});

test('a process without the reader does not send a callback, and another one does', async () => {
  const { events, receiver, send, passTime, delivery } = await setting();
  await send('/one');
  assert.equal((await delivery('retrying')).last_error, 'the interface is off in this process');
  assert.equal(receiver.received.length, 0);
  const read: string[] = [];
  events.answers.add(
    'test',
    reader({
      async read(accountId, { answer }, { status, contentType, body }) {
        read.push([accountId, answer!.terms.path, status, contentType, body.toString()].join(' '));
        return undefined;
      },
    }),
  );
  receiver.answer = (response) => response.writeHead(200, { 'content-type': 'text/xml' }).end('<Response/>');
  passTime();
  await delivery('done');
  assert.deepEqual(read, ['1 /one 200 text/xml <Response/>']);
});

test('a problem ends the delivery, and an error of the reader repeats the request', async () => {
  const { events, receiver, send, passTime, delivery, sql } = await setting();
  let count = 0;
  events.answers.add(
    'test',
    reader({
      async read() {
        if (++count === 1) throw new Error('fault of the reader');
        return { error: '1: no such thing', code: '1', isActedOn: true };
      },
      instead: () => assert.fail('the answer was acted on'),
    }),
  );
  receiver.answer = (response) => response.end('the answer');
  await send('/two');
  const repeated = await delivery('retrying');
  assert.deepEqual([repeated.last_status, repeated.last_error], [200, 'the answer could not be processed']);
  passTime();
  const failed = await delivery('failed');
  assert.deepEqual(
    [failed.attempts, failed.last_error, failed.last_answer],
    [2, '1: no such thing', 'the answer'],
  );
  await waitFor('no backlog', async () => (await sql`SELECT FROM event_backlogs`).length === 0);
  // Problems of an answer are no failures of its host.
  const [endpoint] = await events.endpoints.list(1);
  assert.equal(endpoint!.failing_since, null);
});

test('an answer whose body is cut off is not read', async () => {
  const { events, receiver, send, passTime, delivery } = await setting();
  const read: string[] = [];
  events.answers.add(
    'test',
    reader({
      async read(_accountId, _callback, { body }) {
        read.push(body.toString());
        return undefined;
      },
    }),
  );
  receiver.answer = (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => response.destroy());
  };
  await send('/three');
  await delivery('retrying');
  receiver.answer = (response) => response.end('whole');
  passTime();
  await delivery('done');
  assert.deepEqual(read, ['whole']);
});

test('a callback that fails at a later attempt is replaced, too', async () => {
  const { events, receiver, send, passTime, delivery, callback } = await setting();
  const paths: string[] = [];
  receiver.answer = (response, { path }) => {
    paths.push(path);
    response.writeHead(path === '/instead' ? 200 : 500).end();
  };
  let isReplacing = false;
  events.answers.add(
    'test',
    reader({
      instead: async (_accountId, { path }) =>
        isReplacing && path !== '/instead' ? callback('/instead') : undefined,
    }),
  );
  await send('/four');
  await delivery('retrying');
  isReplacing = true;
  passTime();
  assert.equal((await delivery('failed')).attempts, 2);
  await waitFor('the other request', () => paths.includes('/instead'));
  assert.deepEqual(paths, ['/four', '/four', '/instead']);
});
