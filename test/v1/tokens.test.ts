import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { asPerson, withToken } from './calls.ts';

interface Token {
  readonly id: string;
  readonly label: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly expired: boolean;
  readonly last_used_at: string | null;
  readonly token?: string;
}

const service = await startTestService();
const { url, sql, foundation } = service;
const tokensOf = async (calls: ReturnType<typeof withToken>) =>
  (await calls.get<{ tokens: Token[] }>('/tokens')).tokens;

test('a token is shown once, works, tells when it was used, and ends when it is revoked', async () => {
  const account = await service.addAccount({ username: 'tokens' });
  const calls = withToken(url, account.token);
  const made = await calls.post<Token>('/tokens', { label: ' web shop ', days: 30 });
  assert.match(made.token!, /^[\w-]{43}$/);
  assert.equal(made.label, 'web shop');
  const days = (Date.parse(made.expires_at!) - Date.parse(made.created_at)) / 86_400_000;
  assert.equal(Math.round(days), 30);
  assert.equal(made.last_used_at, null);
  const [stored] = await sql`SELECT * FROM tokens WHERE id = ${Number(made.id)}`;
  assert.ok(!JSON.stringify(stored).includes(made.token!));

  const own = withToken(url, made.token!);
  const listed = await tokensOf(own);
  assert.deepEqual(
    listed.map(({ label, token }) => [label, token]),
    [
      ['', undefined],
      ['web shop', undefined],
    ],
  );
  await foundation.tokens.writeUses();
  const used = (await tokensOf(own)).find(({ id }) => id === made.id)!;
  assert.ok(Date.parse(used.last_used_at!) >= Date.parse(made.created_at));

  assert.deepEqual(await calls.call('DELETE', `/tokens/${made.id}`), { done: true });
  assert.deepEqual(await own.refused('GET', '/tokens'), ['signed-out', undefined, 401]);
  assert.deepEqual(await calls.refused('DELETE', `/tokens/${made.id}`), ['not-found', undefined, 404]);
});

test('one that has expired is shown as such, and makes room', async () => {
  const account = await service.addAccount({ username: 'expiring' });
  const calls = withToken(url, account.token);
  for (let more = 0; more < 4; more++) await calls.post('/tokens', { label: 'one', days: 1 });
  assert.deepEqual(await calls.refused('POST', '/tokens', { label: 'a sixth' }), ['not-now', undefined, 409]);
  await service.advance(86_400);
  const listed = await tokensOf(calls);
  assert.deepEqual(
    listed.map(({ expired }) => expired),
    [false, true, true, true, true],
  );
  await calls.post('/tokens', { label: 'a sixth' });
});

test('what cannot be a token is refused', async () => {
  const calls = withToken(url, DEMO_TOKEN);
  for (const [body, field] of [
    [{}, 'label'],
    [{ label: '' }, 'label'],
    [{ label: ' ' }, 'label'],
    [{ label: 'x'.repeat(101) }, 'label'],
    [{ label: 5 }, 'label'],
    [{ label: 'a', days: 0 }, 'days'],
    [{ label: 'a', days: 1.5 }, 'days'],
    [{ label: 'a', days: 3_651 }, 'days'],
    [{ label: 'a', days: '30' }, 'days'],
  ] as const) {
    assert.deepEqual(await calls.refused('POST', '/tokens', body), ['bad-field', field, 400]);
  }
  assert.deepEqual(await calls.refused('DELETE', '/tokens/x'), ['not-found', undefined, 404]);
});

test("another account's tokens are not there, and tokens are for owners", async () => {
  const [mine, other] = await Promise.all(
    ['first', 'second'].map((username) => service.addAccount({ username })),
  );
  const [own] = await tokensOf(withToken(url, mine!.token));
  const stranger = withToken(url, other!.token);
  assert.deepEqual(await stranger.refused('DELETE', `/tokens/${own!.id}`), ['not-found', undefined, 404]);
  assert.equal((await tokensOf(withToken(url, mine!.token))).length, 1);
  for (const role of ['viewer', 'sender'] as const) {
    const person = await asPerson(service, role, mine!.id);
    assert.deepEqual(await person.refused('GET', '/tokens'), ['not-allowed', undefined, 403]);
    assert.deepEqual(await person.refused('POST', '/tokens', { label: 'a' }), [
      'not-allowed',
      undefined,
      403,
    ]);
  }
  const owner = await asPerson(service, 'owner', mine!.id);
  assert.equal((await owner.get<{ tokens: Token[] }>('/tokens')).tokens.length, 1);
});
