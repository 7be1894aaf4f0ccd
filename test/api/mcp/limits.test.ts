import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { connectByHttp, refusedBy, use } from './support.ts';

/* Limits of a service that others reach. */

const { url, ...service } = await startTestService({
  settings: { MCP_API: 'on', SANDBOX_PUBLIC: 'on', RATE_LIMIT_ACCOUNT: '10', RATE_LIMIT_ADDRESS: '1000' },
});

const listTools = (token: string) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

test('requests over the limit of the account are refused with 429', async () => {
  const { token } = await service.addAccount({ username: 'fast' });
  const answers = await Promise.all(Array.from({ length: 60 }, () => listTools(token)));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0);
  assert.ok(refused.every(({ headers }) => headers.has('retry-after')));
  assert.equal(answers.filter(({ status }) => status === 200).length + refused.length, answers.length);
});

test('an account is used from its permitted addresses only', async () => {
  const { token } = await service.addAccount({ username: 'elsewhere', addresses: ['192.0.2.0/24'] });
  assert.equal((await listTools(token)).status, 401);
});

test('a suspended account reads, and its sends are refused in the dry run', async () => {
  const account = await service.addAccount({ username: 'suspended' });
  const client = await connectByHttp(url, account.token);
  await service.appContext.accounts.suspend(account.id, true);
  assert.equal((await use(client, 'get_balance')).balance, '1000');
  const sms = { source: 'Shop', message: 'Hello', phones: ['0501234567'] };
  const { code, reason } = await refusedBy(client, 'send_sms', sms);
  assert.deepEqual([code, reason], ['not-now', 'account-suspended']);
  await client.close();
});
