import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashPassword } from '../../../server/modules/passwords/hashes.ts';
import { addPerson, lockOut, PASSWORD, signedIn } from '../../support/console.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* The password of an account, which programs sign in with, changed by its owners. */

const service = await startTestService();

interface State {
  readonly has_password: boolean;
  readonly password_sign_in: boolean;
  readonly password_weak: boolean;
}

const PATH = '/account/password';
const NEW = 'a long walk in the rain';

let made = 0;

/** An account with an owner who is signed in. */
async function newAccount(
  options: { passwordHash?: string; passwordSignIn?: boolean; parentId?: number } = {},
) {
  made += 1;
  const account = await service.addAccount({ username: `program-${made}`, ...options }, 0);
  await addPerson(service, `keeper-${made}`, 'owner', account.id);
  return { account, owner: await signedIn(service, `keeper-${made}`) };
}

/** Signs a program in by `POST /api`: the status. */
async function api(username: string, password: string): Promise<number> {
  const answer = await service.call('json', 'balance', { user: { username, password } }, { token: null });
  return answer.status;
}

/** A token of the mailing-list API by a password; '' where it is refused. */
async function mailToken(siteID: string, password: string): Promise<string> {
  const answer = await fetch(`${service.url}/api/Mailer/token`, {
    method: 'POST',
    body: JSON.stringify({ siteID, password }),
  });
  return ((await answer.json()) as { Token: string }).Token;
}

async function mayUse(authorization: string): Promise<boolean> {
  const answer = await fetch(`${service.url}/api/Mailer/GetMailingListNames`, {
    method: 'POST',
    headers: { authorization },
  });
  return ((await answer.json()) as { success: boolean }).success;
}

describe('an owner', () => {
  test('sets, changes and removes the password that programs sign in with', async () => {
    const { account, owner } = await newAccount();
    const { username } = account;
    assert.deepEqual(await owner.ask<State>('GET', PATH), {
      has_password: false,
      password_sign_in: false,
      password_weak: false,
    });
    const change = (body: object) => owner.ask<State>('PATCH', PATH, { own_password: PASSWORD, ...body });
    const first = 'the first of programs';
    assert.deepEqual(await change({ password: first }), {
      has_password: true,
      password_sign_in: false,
      password_weak: false,
    });
    assert.equal(await api(username, first), 3, 'it is not taken yet');
    assert.equal((await change({ password_sign_in: true })).password_sign_in, true);
    assert.equal(await api(username, first), 0);
    const old = await mailToken(username, first);
    assert.equal(await mayUse(old), true);

    await change({ password: NEW });
    assert.equal(await api(username, first), 3);
    assert.equal(await api(username, NEW), 0);
    // A token that was found is remembered for two seconds.
    await waitFor('what the old password opened to be closed', async () => !(await mayUse(old)));
    assert.equal((await owner.call('GET', '/session')).status, 200, 'people stay signed in');
    const bearer = { authorization: `Bearer ${account.token}` };
    assert.equal((await fetch(`${service.url}/v1/wallet`, { headers: bearer })).status, 200);

    const later = await mailToken(username, NEW);
    await change({ password_sign_in: false });
    assert.equal(await api(username, NEW), 3);
    await waitFor('its tokens to end', async () => !(await mayUse(later)));
    assert.deepEqual(await change({ password: null }), {
      has_password: false,
      password_sign_in: false,
      password_weak: false,
    });
  });

  test('learns that the password is weak, until it is changed', async () => {
    const passwordHash = await hashPassword('short');
    const { account, owner } = await newAccount({ passwordHash, passwordSignIn: true });
    assert.equal(await api(account.username, 'short'), 0);
    assert.equal((await owner.ask<State>('GET', PATH)).password_weak, true);
    const { password_weak: weak } = await owner.ask<State>('PATCH', PATH, {
      own_password: PASSWORD,
      password: NEW,
    });
    assert.equal(weak, false);
  });

  test('confirms with their own password, which nobody can guess here either', async () => {
    const { account, owner } = await newAccount();
    const change = (own_password: string, password: unknown = NEW) =>
      owner.refused('PATCH', PATH, { own_password, password });
    assert.equal(await change('wrong'), '403 wrong-password');
    assert.equal(await owner.refused('PATCH', PATH, { own_password: PASSWORD }), '400 bad-field');
    assert.equal(await owner.refused('PATCH', PATH, { password: NEW }), '400 bad-field');
    for (const bad of ['short', 'Password123', ` ${NEW}`, `${NEW}\t`, account.username, 'x'.repeat(201)]) {
      assert.equal(await change(PASSWORD, bad), '400 bad-password', bad);
    }
    await lockOut(service, () => owner.call('PATCH', PATH, { own_password: 'wrong', password: NEW }));
    assert.equal(await change(PASSWORD), '429 too-fast');
    assert.equal((await owner.ask<State>('GET', PATH)).has_password, false);
    await service.advance(900);
    assert.equal(await change(PASSWORD), '200 undefined');
  });

  test('is the only one with access, apart from operators and the parent account; tokens have no access', async () => {
    const { account: parent, owner } = await newAccount();
    const { account: branch } = await newAccount({ parentId: parent.id });
    const { owner: stranger } = await newAccount();
    await addPerson(service, 'only-sends', 'sender', branch.id);
    await addPerson(service, 'runs-it', 'operator', null);
    const body = { own_password: PASSWORD, password: NEW, password_sign_in: true };
    const path = `${PATH}?username=${branch.username}`;
    assert.equal(
      await (await signedIn(service, 'only-sends')).refused('PATCH', PATH, body),
      '403 not-allowed',
    );
    assert.equal(await stranger.refused('PATCH', path, body), '403 wrong-account');
    assert.equal(await stranger.refused('GET', path), '403 wrong-account');
    for (const token of [parent.token, branch.token]) {
      const answer = await fetch(`${service.url}/v1${path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 403);
    }
    assert.equal(await api(branch.username, NEW), 3);
    await owner.ask('PATCH', path, body);
    assert.equal(await api(branch.username, NEW), 0);
    assert.equal((await owner.ask<State>('GET', PATH)).has_password, false, 'its own has not changed');
    const operator = await signedIn(service, 'runs-it');
    await operator.ask('PATCH', path, { own_password: PASSWORD, password: null });
    assert.equal(await api(branch.username, NEW), 3);
  });

  test('leaves an entry in the audit log, without a password', async () => {
    const { owner } = await newAccount();
    const before = 'the password before that';
    await owner.ask('PATCH', PATH, { own_password: PASSWORD, password: before, password_sign_in: true });
    await owner.ask('PATCH', PATH, { own_password: PASSWORD, password: null });
    await owner.refused('PATCH', PATH, { own_password: 'what I typed', password: NEW });
    const { entries } = await owner.ask<{ entries: { action: string; status: number; after: unknown }[] }>(
      'GET',
      '/audit',
    );
    const found = entries.filter(({ action }) => action === 'PATCH /v1/account/password');
    assert.deepEqual(
      found.map(({ status, after }) => [status, after]),
      [
        [403, null],
        [200, { password_changed: true, password_removed: true }],
        [200, { password_changed: true, password_removed: false, password_sign_in: true }],
      ],
    );
    const all = JSON.stringify(await service.sql`SELECT * FROM audit_log`);
    for (const secret of [PASSWORD, NEW, before, 'what I typed']) assert.ok(!all.includes(secret), secret);
  });
});
