import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpServer } from '../../../server/api/http-server.ts';
import { ToolError } from '../../../server/api/mcp/tool-error.ts';
import { v1CallsOf } from '../../../server/api/mcp/v1-calls.ts';

/* Requests that tools make to the routes of their own process. */

const app = await createHttpServer({ proxies: undefined, https: false });
app.post('/v1/echo/:id', async (request) => ({
  url: request.url,
  body: request.body,
  token: request.headers.authorization,
  address: request.ip,
  isWatched: request.watchedBody !== null,
}));
app.get('/v1/busy', (_request, reply) =>
  reply
    .code(429)
    .header('retry-after', 2)
    .send({ error: { code: 'too-fast', message: 'try again in a second' } }),
);
const call = v1CallsOf(app, { token: 'the-token', address: '192.0.2.7' });

test('a call has the token and the address of the caller', async () => {
  const { fields, repeated } = await call('POST /v1/echo/:id', {
    id: '../7?',
    query: { limit: 2, search: undefined },
    body: { text: 'שלום' },
  });
  assert.deepEqual(fields, {
    url: '/v1/echo/..%2F7%3F?limit=2',
    body: { text: 'שלום' },
    token: 'Bearer the-token',
    address: '192.0.2.7',
    // A watch ends connections whose body stalls, and this request has no connection.
    isWatched: false,
  });
  assert.equal(repeated, false);
});

test('a refusal is an error with the time after which the call can be repeated', async () => {
  await assert.rejects(call('GET /v1/busy'), (error) => {
    assert.ok(error instanceof ToolError);
    assert.deepEqual(error.problem, {
      code: 'too-fast',
      message: 'try again in a second',
      retry_after_seconds: 2,
    });
    return true;
  });
});

test('a call while the process stops can be repeated', async () => {
  await app.close();
  await assert.rejects(call('GET /v1/busy'), (error) => {
    assert.ok(error instanceof ToolError);
    assert.equal(error.problem.code, 'try-again');
    return true;
  });
});
