import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/console.ts';
import { startTestService } from '../../support/service.ts';

/* A second factor that is required of everybody. Which routes are open without one: test/security/access.test.ts. */

// It stands still: a step does not end between a code and its use.
const phoneTime = Date.now();
const service = await startTestService({
  settings: { TRUST_PROXY: 'loopback' },
  phoneClock: { now: () => phoneTime },
});
const { people } = service.appContext;

interface Rules {
  readonly second_factor_required: boolean;
  readonly second_factor_demanded: boolean;
  readonly by_operator: boolean;
  readonly without_second_factor: number;
}
interface Who {
  readonly second_factor: boolean;
  readonly second_factor_required: boolean;
}

const MISSING = '403 second-factor-required';
const ON = { second_factor_required: true };
const OFF = { second_factor_required: false };
const NOT_DEMANDED = { second_factor_demanded: false, provider_only: false, by_operator: false };

/** Sets up a second factor; the code that the phone shows next. */
async function setUp(browser: Browser): Promise<string> {
  const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
    password: PASSWORD,
  });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = totp.generate({ timestamp: phoneTime - 30_000 });
  await browser.ask('POST', '/session/second-factor/confirm', { code });
  return totp.generate({ timestamp: phoneTime });
}

let made = 0;

/** An account whose owner has a second factor. */
async function newTeam() {
  made += 1;
  const account = await service.addAccount({ username: `team-${made}` }, 0);
  await addPerson(service, `owner-${made}`, 'owner', account.id);
  const owner = await signedIn(service, `owner-${made}`);
  const code = await setUp(owner);
  return { account, owner, ownerName: `owner-${made}`, code };
}

describe('an owner who requires a second factor', () => {
  test('has one themselves, and meets nobody of another account', async () => {
    const account = await service.addAccount({ username: 'first' }, 0);
    await addPerson(service, 'first-owner', 'owner', account.id);
    await addPerson(service, 'first-sender', 'sender', account.id);
    await addPerson(service, 'stranger', 'viewer', service.demo.id);
    const [owner, sender, stranger] = await Promise.all(
      ['first-owner', 'first-sender', 'stranger'].map((name) => signedIn(service, name)),
    );
    assert.deepEqual(await owner!.ask<Rules>('GET', '/people/rules'), {
      ...OFF,
      ...NOT_DEMANDED,
      without_second_factor: 2,
    });
    assert.equal(await owner!.refused('PATCH', '/people/rules', ON), '409 not-now');
    assert.equal(await sender!.refused('PATCH', '/people/rules', ON), '403 not-allowed');
    assert.equal(await owner!.refused('PATCH', '/people/rules?username=demo', ON), '403 wrong-account');
    await setUp(owner!);
    const changed = await owner!.ask<Rules>('PATCH', '/people/rules', ON);
    assert.deepEqual(changed, { ...ON, ...NOT_DEMANDED, without_second_factor: 1 });
    assert.equal(await sender!.refused('GET', '/messages'), MISSING);
    assert.equal(await stranger!.refused('GET', '/messages'), '200 undefined');
    const { entries } = await owner!.ask<{
      entries: { action: string; before: object; after: object; status: number }[];
    }>('GET', '/audit?kind=people-rules');
    assert.deepEqual(
      entries.filter(({ status }) => status === 200).map(({ before, after }) => [before, after]),
      [[OFF, ON]],
    );
  });

  test('leaves sessions open, which continue after a second factor is set up', async () => {
    const { account, owner } = await newTeam();
    await addPerson(service, 'late', 'sender', account.id);
    const late = await signedIn(service, 'late');
    assert.equal(await late.refused('GET', '/messages'), '200 undefined');
    await owner.ask('PATCH', '/people/rules', ON);
    assert.equal(await late.refused('GET', '/messages'), MISSING);
    assert.equal(await late.refused('GET', '/session/sessions'), MISSING);
    assert.equal(await late.refused('POST', '/session/password', {}), MISSING);
    const who = await late.ask<Who>('GET', '/session');
    assert.deepEqual([who.second_factor, who.second_factor_required], [false, true]);
    await late.ask('PATCH', '/session', { language: 'he' });
    await setUp(late);
    assert.equal(await late.refused('GET', '/messages'), '200 undefined');
    assert.deepEqual(await owner.ask<Rules>('GET', '/people/rules'), {
      ...ON,
      ...NOT_DEMANDED,
      without_second_factor: 0,
    });
  });

  test('sends whoever is invited, or loses the phone, to set one up', async () => {
    const { owner } = await newTeam();
    await owner.ask('PATCH', '/people/rules', ON);
    const { person, link } = await owner.ask<{ person: { id: string }; link: { token: string } }>(
      'POST',
      '/people',
      { username: 'invited', name: 'Invited', role: 'viewer' },
    );
    const choose = (token: string) =>
      new Browser(service.url).ask('POST', '/session/password-link', { token, password: PASSWORD });
    await choose(link.token);
    const invited = await signedIn(service, 'invited');
    assert.equal(await invited.refused('GET', '/overview'), MISSING);
    await setUp(invited);
    assert.equal(await invited.refused('GET', '/messages'), '200 undefined');

    const reset = await owner.ask<{ token: string }>('POST', `/people/${person.id}/reset`, {
      second_factor: true,
    });
    await choose(reset.token);
    const again = await signedIn(service, 'invited');
    assert.equal(await again.refused('GET', '/messages'), MISSING);
    await again.ask('DELETE', '/session');
    assert.equal(await again.refused('GET', '/session'), '401 signed-out');
  });

  test('keeps everybody from removing theirs, until the rule is lifted', async () => {
    const { owner, code } = await newTeam();
    await owner.ask('PATCH', '/people/rules', ON);
    const remove = { password: PASSWORD, code };
    assert.equal(await owner.refused('POST', '/session/second-factor/remove', remove), '409 not-now');
    await owner.ask('PATCH', '/people/rules', OFF);
    await owner.ask('POST', '/session/second-factor/remove', remove);
    assert.equal(await owner.refused('GET', '/messages'), '200 undefined');
  });

  test('stops no program: tokens stay valid', async () => {
    const { account, owner } = await newTeam();
    await owner.ask('PATCH', '/people/rules', ON);
    const answer = await fetch(`${service.url}/v1/messages`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    assert.equal(answer.status, 200);
  });

  test('may be a parent account for its subscriber, whose rule is its own', async () => {
    const { account, owner } = await newTeam();
    const branch = await service.addAccount({ username: 'branch', parentId: account.id }, 0);
    await addPerson(service, 'clerk', 'owner', branch.id);
    const clerk = await signedIn(service, 'clerk');
    await owner.ask('PATCH', '/people/rules', ON);
    assert.equal(await clerk.refused('GET', '/messages'), '200 undefined');
    await owner.ask('PATCH', '/people/rules?username=branch', ON);
    assert.equal(await clerk.refused('GET', '/messages'), MISSING);
    assert.equal(await clerk.refused('PATCH', '/people/rules', OFF), MISSING);
  });
});

test('operators require it of themselves; what they do for accounts needs it, too', async () => {
  await addPerson(service, 'chief', 'operator', null);
  await addPerson(service, 'helper', 'operator', null);
  const [chief, helper] = [await signedIn(service, 'chief'), await signedIn(service, 'helper')];
  assert.equal(await chief.refused('PATCH', '/operator/people/rules', ON), '409 not-now');
  await setUp(chief);
  const { without_second_factor: without } = await chief.ask<Rules>('PATCH', '/operator/people/rules', ON);
  assert.ok(without >= 1);
  assert.equal(await helper.refused('GET', '/operator/accounts'), MISSING);
  assert.equal(await helper.refused('GET', '/messages?username=demo'), MISSING);
  assert.equal(await helper.refused('GET', '/sandbox/phones/0501234567'), MISSING);
  await addPerson(service, 'of-demo', 'owner', service.demo.id);
  const ofDemo = await signedIn(service, 'of-demo');
  assert.equal(
    await ofDemo.refused('GET', '/messages'),
    '200 undefined',
    'their rule is not that of accounts',
  );
  assert.equal(await ofDemo.refused('PATCH', '/operator/people/rules', OFF), '403 not-allowed');
  // For an account whose last owner lost the phone, without recovery codes.
  await people.rules.change(service.demo.id, { secondFactorRequired: true }, async () => {});
  assert.equal(await ofDemo.refused('GET', '/messages'), MISSING);
  await chief.ask('PATCH', '/people/rules?username=demo', OFF);
  assert.equal(await ofDemo.refused('GET', '/messages'), '200 undefined');
  const { entries } = await chief.ask<{ entries: { object: { kind: string } }[] }>('GET', '/operator/audit');
  assert.ok(entries.some(({ object }) => object.kind === 'people-rules'));
  await chief.ask('PATCH', '/operator/people/rules', OFF);
  assert.equal(await helper.refused('GET', '/operator/accounts'), '200 undefined');
});

describe('an operator who demands a second factor', () => {
  const operators = Promise.all([
    addPerson(service, 'demanding', 'operator', null),
    addPerson(service, 'easy', 'operator', null),
  ]).then(async () => {
    const browsers = [await signedIn(service, 'demanding'), await signedIn(service, 'easy')] as const;
    await setUp(browsers[0]);
    return browsers;
  });

  test('of an account does so whatever its owners want', async () => {
    const { account, owner } = await newTeam();
    const [demanding, easy] = await operators;
    await addPerson(service, 'demanded-of', 'viewer', account.id);
    const viewer = await signedIn(service, 'demanded-of');
    const path = `/people/rules?username=${account.username}`;
    const demand = { second_factor_demanded: true };
    assert.equal(await owner.refused('PATCH', '/people/rules', demand), '403 not-allowed');
    assert.equal(await easy.refused('PATCH', path, demand), '409 not-now');
    await demanding.ask('PATCH', path, demand);
    assert.equal(await viewer.refused('GET', '/messages'), MISSING);
    const rules = await owner.ask<Rules>('PATCH', '/people/rules', OFF);
    assert.deepEqual(rules, {
      ...OFF,
      ...NOT_DEMANDED,
      ...demand,
      by_operator: true,
      without_second_factor: 1,
    });
    assert.equal(await viewer.refused('GET', '/messages'), MISSING);
    assert.equal(
      await owner.refused('PATCH', '/people/rules', { second_factor_demanded: false }),
      '403 not-allowed',
    );
    await demanding.ask('PATCH', path, { second_factor_demanded: false });
    assert.equal(await viewer.refused('GET', '/messages'), '200 undefined');
  });

  test('of every account leaves the operators to their own rule, and programs alone', async () => {
    const { account, owner } = await newTeam();
    const [demanding, easy] = await operators;
    await addPerson(service, 'one-of-all', 'viewer', account.id);
    const viewer = await signedIn(service, 'one-of-all');
    const demand = { second_factor_of_accounts: true };
    assert.equal(await easy.refused('PATCH', '/operator/people/rules', demand), '409 not-now');
    await demanding.ask('PATCH', '/operator/people/rules', demand);
    assert.equal(await viewer.refused('GET', '/messages'), MISSING);
    assert.equal((await owner.ask<Rules>('GET', '/people/rules')).by_operator, true);
    const who = await viewer.ask<Who>('GET', '/session');
    assert.equal(who.second_factor_required, true);
    assert.equal(await easy.refused('GET', '/operator/accounts'), '200 undefined');
    const answer = await fetch(`${service.url}/v1/messages`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    assert.equal(answer.status, 200);
    await setUp(viewer);
    assert.equal(await viewer.refused('GET', '/messages'), '200 undefined');
    await demanding.ask('PATCH', '/operator/people/rules', { second_factor_of_accounts: false });
  });
});
