import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Limits of requests a second (decisions, "Rate limit"): off in the sandbox, so these run without it. */
const limited = await startTestService({
  sandbox: false,
  settings: { RATE_LIMIT_ACCOUNT: '5', RATE_LIMIT_ADDRESS: '40', TRUST_PROXY: 'loopback' },
});
const account = await limited.addAccount({ username: 'limited' });
const other = await limited.addAccount({ username: 'other' });

for (const form of forms) {
  test(
    `${form}: over an account's limit it is 429 with Retry-After and status 6, and passes again`,
    covers('requests.rate', 'status.6'),
    async () => {
      const call = (who = account) =>
        limited.call(form, 'balance', { user: { username: who.username } }, { token: who.token });
      const crowd = await Promise.all(Array.from({ length: 12 }, () => call()));
      const refused = crowd.filter((answer) => answer.http === 429);
      assert.ok(refused.length >= 2, `${refused.length} were refused`);
      for (const answer of refused) {
        assert.deepEqual([answer.status, answer.form], [6, form]);
        assert.ok(Number(answer.headers.get('retry-after')) >= 1);
      }
      assert.ok(crowd.every((answer) => answer.http === 429 || answer.status === 0));
      assert.equal((await call(other)).http, 200, 'another account has its own');
      await waitFor('it to pass again', async () => (await call()).http === 200);
    },
  );
}

test(
  'over the limit of an address it is 429, whoever calls; another address is free',
  covers('requests.rate'),
  async () => {
    const from = (address: string) =>
      limited.post('x', { token: null, headers: { 'x-forwarded-for': address } });
    const crowd = await Promise.all(Array.from({ length: 90 }, () => from('192.0.2.1')));
    const refused = crowd.filter((answer) => answer.http === 429);
    assert.ok(refused.length > 0);
    assert.ok(
      refused.every((answer) => answer.status === 6 && Number(answer.headers.get('retry-after')) >= 1),
    );
    assert.ok(crowd.every((answer) => answer.http === 429 || answer.status === 1));
    assert.equal((await from('192.0.2.2')).http, 200);
  },
);

test(
  'without the sandbox a source must be verified, and there is no API for phones',
  covers('texts.sources', 'sandbox.only there'),
  async () => {
    const content = {
      user: { username: 'other' },
      source: 'Shop',
      destinations: { phone: '0501234567' },
      message: 'Hello',
    };
    assert.equal((await limited.call('json', 'sms', content, { token: other.token })).status, 515);
    await limited.appContext.sources.approve(other.id, 'Shop');
    assert.equal((await limited.call('json', 'sms', content, { token: other.token })).status, 0);
    const response = await fetch(`${limited.url}/v1/sandbox/phones/0501234567`, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    assert.equal(response.status, 404);
    await response.arrayBuffer();
  },
);

test('under /v1 the limits are the same, and told in its own form', covers('requests.rate'), async () => {
  const shop = await limited.addAccount({ username: 'shop' });
  const from = (address: string, token = shop.token) =>
    fetch(`${limited.url}/v1/contact-lists`, {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    });
  const checkRefused = async (crowd: Response[], otherwise: number) => {
    const refused = crowd.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0);
    for (const response of refused) {
      assert.ok(Number(response.headers.get('retry-after')) >= 1);
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'too-fast');
    }
    assert.ok(crowd.every(({ status }) => status === 429 || status === otherwise));
  };
  await checkRefused(
    await Promise.all(Array.from({ length: 12 }, (_, index) => from(`198.51.100.${index}`))),
    200,
  );
  await checkRefused(await Promise.all(Array.from({ length: 90 }, () => from('192.0.2.3', 'wrong'))), 401);
});
