import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { enforceAccess } from '../../server/interfaces/access.ts';

/*
 * Who may call which route. The table (server/access) is the data; the tests read it.
 */

const bare = () => {
  const app = fastify();
  enforceAccess(app, { aliases: new Map([['/other', '/chat-api']]) });
  return app;
};

test('a route without a row keeps the service from starting', () => {
  assert.throws(() => bare().get('/v1/secret', () => 'x'), /GET \/v1\/secret has no row/);
  // Not with another method, not below a prefix that has rows, and not where a path only begins like a row.
  assert.throws(() => bare().put('/v1/people', () => 'x'), /PUT \/v1\/people has no row/);
  assert.throws(() => bare().get('/docs/internal', () => 'x'), /has no row/);
  assert.throws(() => bare().post('/other/nothing', () => 'x'), /has no row/);
  assert.throws(() => bare().get('/constructor', () => 'x'), /has no row/);
  bare().post('/other/send-buttons/', () => 'x');
});

test('a route that needs a sign-in and whose API does not ask for it lets nobody in', async () => {
  const app = bare();
  app.get('/v1/people', () => 'everybody');
  app.get('/healthz', () => 'alive');
  assert.equal((await app.inject('/healthz')).body, 'alive');
  const answer = await app.inject('/v1/people');
  assert.equal(answer.statusCode, 500);
  assert.doesNotMatch(answer.body, /everybody/);
  await app.close();
});
