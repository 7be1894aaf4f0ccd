import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { startTestService } from '../../support/service.ts';
import { asPerson, callsWith, withToken } from './calls.ts';

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
const { url, sql, appContext } = service;
const tokensOf = async (calls: ReturnType<typeof withToken>) =>
  (await calls.get<{ tokens: Token[] }>('/tokens')).tokens;

test('a token is shown once, works, tells when it was used, and ends when it is revoked', async () => {
  const account = await service.addAccount({ username: 'tokens' });
  const calls = await asPerson(service, 'owner', account.id);
  const made = await calls.post<Token>('/tokens', { label: ' web shop ', days: 30 });
  assert.match(made.token!, /^carillon_[\w-]{43}$/);
  assert.equal(made.label, 'web shop');
  const days = (Date.parse(made.expires_at!) - Date.parse(made.created_at)) / 86_400_000;
  assert.equal(Math.round(days), 30);
  assert.equal(made.last_used_at, null);
  const [stored] = await sql`SELECT * FROM tokens WHERE id = ${Number(made.id)}`;
  assert.ok(!JSON.stringify(stored).includes(made.token!));

  const own = withToken(url, made.token!);
  assert.equal((await own.fetch('GET', '/messages')).status, 200);
  const listed = await tokensOf(calls);
  assert.deepEqual(
    listed.map(({ label, token }) => [label, token]),
    [
      ['', undefined],
      ['web shop', undefined],
    ],
  );
  await appContext.tokenUses.flush();
  const used = (await tokensOf(calls)).find(({ id }) => id === made.id)!;
  assert.ok(Date.parse(used.last_used_at!) >= Date.parse(made.created_at));

  assert.deepEqual(await calls.call('DELETE', `/tokens/${made.id}`), { done: true });
  assert.deepEqual(await own.refused('GET', '/messages'), ['signed-out', undefined, 401]);
  assert.deepEqual(await calls.refused('DELETE', `/tokens/${made.id}`), ['not-found', undefined, 404]);
});

test('a token is accepted without Bearer', covers('amendments.token header'), async () => {
  const account = await service.addAccount({ username: 'no-bearer' });
  const calls = callsWith(url, { authorization: account.token });
  assert.equal((await calls.fetch('GET', '/messages')).status, 200);
});

test('one that has expired is shown as such, and makes room', async () => {
  const account = await service.addAccount({ username: 'expiring' });
  const calls = await asPerson(service, 'owner', account.id);
  for (let more = 0; more < 4; more++) await calls.post('/tokens', { label: 'one', days: 1 });
  assert.deepEqual(await calls.refused('POST', '/tokens', { label: 'a sixth' }), ['not-now', undefined, 409]);
  await service.advance(86_400);
  // The session of yesterday is over.
  const today = await asPerson(service, 'owner', account.id);
  const listed = await tokensOf(today);
  assert.deepEqual(
    listed.map(({ expired }) => expired),
    [false, true, true, true, true],
  );
  await today.post('/tokens', { label: 'a sixth' });
});

test('what cannot be a token is refused', async () => {
  const calls = await asPerson(service, 'owner', service.demo.id);
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
  const owner = await asPerson(service, 'owner', mine!.id);
  const [own] = await tokensOf(owner);
  const stranger = await asPerson(service, 'owner', other!.id);
  assert.deepEqual(await stranger.refused('DELETE', `/tokens/${own!.id}`), ['not-found', undefined, 404]);
  const token = withToken(url, mine!.token);
  assert.deepEqual(await token.refused('GET', '/tokens'), ['not-allowed', undefined, 403]);
  assert.deepEqual(await token.refused('DELETE', `/tokens/${own!.id}`), ['not-allowed', undefined, 403]);
  for (const role of ['viewer', 'sender'] as const) {
    const person = await asPerson(service, role, mine!.id);
    assert.deepEqual(await person.refused('GET', '/tokens'), ['not-allowed', undefined, 403]);
    assert.deepEqual(await person.refused('POST', '/tokens', { label: 'a' }), [
      'not-allowed',
      undefined,
      403,
    ]);
  }
  assert.equal((await owner.get<{ tokens: Token[] }>('/tokens')).tokens.length, 1);
});
