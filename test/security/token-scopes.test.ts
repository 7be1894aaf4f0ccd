import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type TokenScope, tokenScopes } from '../../server/api/access/scopes.ts';
import { readMigrations } from '../../server/database/migration-files.ts';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { newPhone } from '../support/phones.ts';
import { type Content, DEMO_PASSWORD, DEMO_TOKEN, startTestService } from '../support/service.ts';

/*
 * A stolen token: it does what its scopes say and no more, it makes no other token that may do more or that outlives it,
 * and it reaches nobody's password.
 */
const service = await startTestService();
const { url, sql, appContext } = service;
const { tokens } = appContext;

interface Made {
  readonly id: string;
  readonly token: string;
  readonly scopes: readonly TokenScope[];
  readonly made_by: string | null;
}

let accounts = 0;
async function newAccount() {
  const account = await service.addAccount({ username: `scoped-${++accounts}` });
  await sql`UPDATE tokens SET revoked_at = 1 WHERE account_id = ${account.id}`;
  const owner = await asPerson(service, 'owner', account.id);
  const make = async (...scopes: TokenScope[]) =>
    (await owner.post<Made>('/tokens', { label: scopes.join(), scopes })).token;
  const ask = (token: string, root: string, content: Content = {}) =>
    service.call('json', root, { user: { username: account.username }, ...content }, { token });
  const mint = async (token: string) => {
    const answer = await ask(token, 'getApiToken', { username: account.username, action: 'new' });
    return { status: answer.status, token: String(answer.fields.token) };
  };
  return { ...account, owner, make, ask, mint };
}

const sms = () => ({ source: 'Shop', destinations: { phone: newPhone() }, message: 'Hello' });

describe('a token that lacks a scope', () => {
  test('is answered 511 by POST /api, whatever the dry run, and sends nothing', async () => {
    const { id, make, ask } = await newAccount();
    const reader = await make('read');
    for (const path of ['/api', '/api/test']) {
      const answer = await service.call(
        'xml',
        'sms',
        { ...sms(), user: { username: `scoped-${accounts}` } },
        {
          token: reader,
          path,
        },
      );
      assert.deepEqual([answer.http, answer.status], [200, 511]);
      assert.match(answer.message, /lacks the scope send/);
    }
    assert.equal((await ask(reader, 'balance')).status, 0);
    assert.equal((await ask(reader, 'newCL', { cl: { name: 'x' } })).status, 511);
    const [sent] = await sql`SELECT count(*)::int AS count FROM shipments WHERE account_id = ${id}`;
    assert.equal(sent!.count, 0);
  });

  test('is answered 403 by the chat API, in its form', async () => {
    const { make } = await newAccount();
    const headers = { authorization: `Bearer ${await make('contacts')}` };
    for (const [method, path] of [
      ['POST', 'send-buttons'],
      ['POST', 'send-whatsapp-template/'],
      ['GET', 'get-phone-templates/972550000001'],
    ] as const) {
      const answer = await fetch(`${url}/chat-api/${path}`, { method, headers });
      assert.equal(answer.status, 403, path);
      const body = (await answer.json()) as { success: boolean; message: string };
      assert.deepEqual(Object.keys(body), ['success', 'message']);
      assert.equal(body.success, false);
      assert.match(body.message, /lacks the scope/);
    }
  });

  test('is answered not-allowed under /v1', async () => {
    const { make } = await newAccount();
    const codes = withToken(url, await make('codes'));
    assert.deepEqual(await codes.refused('GET', '/messages'), ['not-allowed', undefined, 403]);
    assert.deepEqual(await codes.refused('POST', '/sms', {}), ['not-allowed', undefined, 403]);
    assert.equal((await codes.fetch('GET', '/otp/blocks')).status, 200);
  });

  test('cannot be distinguished from a stranger by the mailing-list API', async () => {
    const { make } = await newAccount();
    const answer = await fetch(`${url}/api/Mailer/GetMailingListNames`, {
      method: 'POST',
      headers: { authorization: await make(...tokenScopes) },
    });
    assert.equal(((await answer.json()) as { result: { ResultID: number } }).result.ResultID, 401);
  });
});

test('no token reaches people, tokens, mail tokens or the audit log, and none is an operator', async () => {
  const { make, id } = await newAccount();
  const all = withToken(url, await make(...tokenScopes));
  const person = await appContext.people.people.add({
    accountId: id,
    username: 'the-owner',
    name: 'Owner',
    role: 'owner',
  });
  for (const [method, path, body] of [
    ['GET', '/people', undefined],
    ['POST', '/people', { username: 'intruder', name: 'x', role: 'owner' }],
    ['POST', `/people/${person.person.id}/reset`, { second_factor: true }],
    ['PATCH', `/people/${person.person.id}`, { suspended: true }],
    ['GET', '/tokens', undefined],
    ['POST', '/tokens', { label: 'more' }],
    ['POST', '/mail/tokens', { label: 'more' }],
    ['GET', '/audit', undefined],
    ['POST', '/session/password', {}],
    ['GET', '/operator/accounts', undefined],
    ['POST', `/operator/accounts/${id}/top-up`, { amount: '1000' }],
  ] as const) {
    assert.deepEqual(await all.refused(method, path, body), ['not-allowed', undefined, 403], path);
  }
});

describe('scopes', () => {
  test('are chosen at the creation of a token, and shown', async () => {
    const { owner } = await newAccount();
    const made = await owner.post<Made>('/tokens', { label: 'shop', scopes: ['read', 'send', 'read'] });
    assert.deepEqual(made.scopes, ['send', 'read']);
    const all = await owner.post<Made>('/tokens', { label: 'everything' });
    assert.deepEqual(all.scopes, tokenScopes);
    const { tokens: listed } = await owner.get<{ tokens: Made[] }>('/tokens');
    assert.deepEqual(
      listed.map((token) => token.scopes),
      [['send', 'read'], tokenScopes],
    );
    const { entries } = await owner.get<{ entries: { action: string; after: unknown }[] }>('/audit');
    const entry = entries.find(({ action }) => action === 'POST /v1/tokens')!;
    assert.deepEqual(entry.after, { label: 'everything', scopes: tokenScopes });
    for (const scopes of [[], ['owner'], 'send', ['send', 'people'], Array(7).fill('send')]) {
      const [code, field] = await owner.refused('POST', '/tokens', { label: 'x', scopes });
      assert.equal(code, 'bad-field', JSON.stringify(scopes));
      assert.match(field!, /^scopes/);
    }
  });

  test('of tokens from before there were any: they send and read, and nothing about webhooks', async () => {
    const account = await service.addAccount({ username: 'from-before' });
    const migration = (await readMigrations()).find(({ name }) => name === 'token_scopes')!;
    const update = /UPDATE tokens[^;]+/.exec(migration.statements)![0];
    await sql.unsafe(`${update} AND account_id = ${account.id}`);
    // Other processes notice within two seconds; this one has not seen the token yet.
    const old = { token: account.token };
    const user = { username: account.username };
    const ask = (root: string, content: Content) => service.call('json', root, { user, ...content }, old);
    assert.equal((await ask('sms', sms())).status, 0);
    assert.equal((await ask('newCL', { cl: { name: 'x' } })).status, 0);
    assert.equal((await ask('getBlanceSubs', {})).status, 0);
    const url = 'https://example.com/hook';
    assert.equal((await ask('push_url', { type: 'dlr', url })).status, 511);
    const made = await ask('getApiToken', { username: account.username, action: 'new' });
    assert.equal(made.status, 0);
    const again = await service.call(
      'json',
      'push_url',
      { user, type: 'dlr', url },
      {
        token: String(made.fields.token),
      },
    );
    assert.equal(again.status, 511);
  });

  test('a password has all of them', async () => {
    const user = { username: 'demo', password: DEMO_PASSWORD };
    const url = 'https://example.com/by-password';
    const answer = await service.call('json', 'push_url', { user, type: 'dlr', url }, { token: null });
    assert.equal(answer.status, 0, answer.message);
  });
});

describe('a token that getApiToken made', () => {
  test('has at most the scopes of the one that asked, for subscribers too', async () => {
    const parent = await newAccount();
    const child = await service.addAccount({ username: 'scoped-child', parentId: parent.id });
    const narrow = await parent.make('codes');
    const answer = await parent.ask(narrow, 'getApiToken', { username: child.username, action: 'new' });
    assert.equal(answer.status, 0, answer.message);
    const ofChild = { token: String(answer.fields.token) };
    const user = { username: child.username };
    assert.equal((await service.call('json', 'sms', { ...sms(), user }, ofChild)).status, 511);
    assert.equal((await service.call('json', 'validate_otp', { user }, ofChild)).status, 2);
    const [made] = (await tokens.list(child.id)).slice(-1);
    assert.deepEqual(made!.scopes, ['codes']);
  });

  test('and all that it made in turn are revoked with it, and no others', async () => {
    const { owner, make, mint, ask } = await newAccount();
    const stolen = await make(...tokenScopes);
    const other = await make('read');
    const first = await mint(stolen);
    const second = await mint(first.token);
    assert.deepEqual([first.status, second.status], [0, 0]);
    const { tokens: listed } = await owner.get<{ tokens: Made[] }>('/tokens');
    assert.deepEqual(
      listed.map((token) => token.made_by),
      [null, null, listed[0]!.id, listed[2]!.id],
    );
    await owner.call('DELETE', `/tokens/${listed[0]!.id}`);
    for (const token of [stolen, first.token, second.token]) {
      assert.equal((await ask(token, 'balance')).status, 3);
    }
    assert.equal((await ask(other, 'balance')).status, 0);
  });

  test('is not made by one that is being revoked, however close', async () => {
    const { id, make } = await newAccount();
    for (let round = 0; round < 8; round++) {
      const maker = (await tokens.find(await make(...tokenScopes)))!;
      const [minted] = await Promise.allSettled([
        tokens.mint(id, { madeBy: maker.id }),
        tokens.revoke(maker.id),
      ]);
      if (minted.status === 'fulfilled') {
        assert.equal(await tokens.find(minted.value.token), null, 'it outlived its maker');
      }
      assert.equal((await tokens.list(id)).length, 0);
    }
  });
});

test('the token of the demo account has every scope', async () => {
  assert.deepEqual((await tokens.find(DEMO_TOKEN))!.scopes, tokenScopes);
});
