import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_PEOPLE } from '../../../server/modules/people/people.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/console.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { withToken } from './calls.ts';

interface Person {
  id: string;
  username: string;
  name: string;
  role: string;
  language: string | null;
  has_password: boolean;
  second_factor: boolean;
  suspended: boolean;
  created_at: string;
}
interface Added {
  person: Person;
  link: { token: string; expires_at: string };
}

const service = await startTestService();
await addPerson(service, 'boss', 'owner', service.demo.id);
const boss = await signedIn(service, 'boss');
const { people } = service.appContext;

const choose = (token: string, password = PASSWORD) =>
  new Browser(service.url).refused('POST', '/session/password-link', { token, password });

describe("an owner's people", () => {
  test('are added without a password, which they choose by a link that works once', async () => {
    const { person, link } = await boss.ask<Added>('POST', '/people', {
      username: 'dana',
      name: ' Dana Levi ',
      role: 'sender',
      language: 'he',
    });
    assert.deepEqual(
      { ...person, id: '', created_at: '' },
      {
        id: '',
        username: 'dana',
        name: 'Dana Levi',
        role: 'sender',
        language: 'he',
        second_factor: false,
        has_password: false,
        has_provider: false,
        suspended: false,
        created_at: '',
      },
    );
    const days = (Date.parse(link.expires_at) - Date.parse(person.created_at)) / 86_400_000;
    assert.ok(days > 0.99 && days < 1.01, `${days} days`);
    const dana = new Browser(service.url);
    assert.equal(await dana.signIn('dana'), '401 signed-out');
    assert.equal(await choose(link.token, 'short'), '400 bad-password');
    assert.equal(await choose(link.token), '200 undefined', 'a password that is refused does not use it up');
    assert.equal(await choose(link.token, 'another password'), '410 link-over');
    assert.equal(await dana.signIn('dana'), '200');
    const list = await boss.ask<{ people: Person[] }>('GET', '/people');
    assert.deepEqual(
      list.people.find(({ id }) => id === person.id),
      { ...person, has_password: true },
    );
  });

  test('have user names that nobody else has, and roles of an account', async () => {
    const add = (body: object) =>
      boss.refused('POST', '/people', { username: 'somebody', name: 'Some', role: 'viewer', ...body });
    assert.equal(await add({ username: 'DANA' }), '409 username-taken');
    assert.equal(await add({ role: 'operator' }), '400 bad-field');
    assert.equal(await add({ role: undefined }), '400 bad-field');
    assert.equal(await add({ username: 'a' }), '400 bad-field');
    assert.equal(await add({ username: 'a b' }), '400 bad-field');
    assert.equal(await add({ name: '' }), '400 bad-field');
    assert.equal(await add({ language: 'xx' }), '400 bad-field');
    assert.equal(await people.people.byUsername('somebody'), undefined);
  });

  test('are signed out when they get another role or are suspended', async () => {
    const { id } = await addPerson(service, 'rafi', 'viewer', service.demo.id);
    const rafi = await signedIn(service, 'rafi');
    const roleOf = async () => (await rafi.ask<{ role: string }>('GET', '/session')).role;
    const changed = await boss.ask<Person>('PATCH', `/people/${id}`, { role: 'owner', name: 'Rafi' });
    assert.deepEqual([changed.role, changed.name], ['owner', 'Rafi']);
    assert.equal(await rafi.refused('GET', '/session'), '401 signed-out', 'with the old role');
    assert.equal(await rafi.signIn('rafi'), '200');
    assert.equal(await roleOf(), 'owner');
    await boss.ask('PATCH', `/people/${id}`, { suspended: true });
    assert.equal(await rafi.refused('GET', '/session'), '401 signed-out');
    assert.equal(await rafi.signIn('rafi'), '401 signed-out');
    assert.equal(await boss.refused('POST', `/people/${id}/reset`), '409 not-now');
    await boss.ask('PATCH', `/people/${id}`, { suspended: false });
    assert.equal(await rafi.signIn('rafi'), '200');
    assert.equal(await boss.refused('PATCH', `/people/${id}`, { role: 'operator' }), '400 bad-field');
    assert.equal(await boss.refused('PATCH', `/people/${id}`, { suspended: 'yes' }), '400 bad-field');
  });

  test('answer conversations as agents, senders and owners, while they are not disabled', async () => {
    const account = await service.addAccount({ username: 'desk' });
    const other = await service.addAccount({ username: 'other-desk' });
    for (const role of ['viewer', 'sender', 'owner', 'agent'] as const) {
      await addPerson(service, `desk-${role}`, role, account.id);
      await addPerson(service, `other-desk-${role}`, role, other.id);
    }
    const { id } = await addPerson(service, 'desk-gone', 'agent', account.id);
    await people.people.change(account.id, id, { suspended: true });
    const agent = await signedIn(service, 'desk-agent');
    const { agents } = await agent.ask<{ agents: { id: string; name: string }[] }>(
      'GET',
      '/conversation-agents',
    );
    assert.deepEqual(
      agents.map(({ name }) => name),
      ['desk-agent', 'desk-owner', 'desk-sender'],
    );
    assert.equal(agents[0]!.id, String((await people.people.byUsername('desk-agent'))!.id));
  });

  test('get a new link when the password is lost; the old one and the old password end', async () => {
    const { id } = await addPerson(service, 'forgets', 'viewer', service.demo.id);
    const forgets = await signedIn(service, 'forgets');
    const reset = () => boss.ask<{ token: string }>('POST', `/people/${id}/reset`, {});
    const first = await reset();
    const second = await reset();
    assert.equal(await forgets.refused('GET', '/session'), '200 undefined', 'until it is used');
    assert.equal(await choose(first.token), '410 link-over');
    assert.equal(await choose(second.token, 'the new password'), '200 undefined');
    assert.equal(await forgets.refused('GET', '/session'), '401 signed-out');
    assert.equal(await forgets.signIn('forgets'), '401 signed-out');
    assert.equal(await forgets.signIn('forgets', 'the new password'), '200');

    const { token: late } = await reset();
    await service.advance(86_400 + 1);
    assert.equal(await choose(late), '410 link-over');
    assert.equal(await boss.signIn('boss'), '200', 'so much time ended the session');
    const { token: ended } = await reset();
    await boss.ask('PATCH', `/people/${id}`, { suspended: true });
    await boss.ask('PATCH', `/people/${id}`, { suspended: false });
    assert.equal(await choose(ended), '410 link-over', 'being suspended ends it');
  });

  test('changing the own password ends the link for one', async () => {
    const { id } = await addPerson(service, 'remembers', 'viewer', service.demo.id);
    const { token } = await boss.ask<{ token: string }>('POST', `/people/${id}/reset`, {});
    const remembers = await signedIn(service, 'remembers');
    await remembers.ask('POST', '/session/password', { current: PASSWORD, password: 'the new password' });
    assert.equal(await choose(token), '410 link-over');
  });

  test('always have an owner, also after two concurrent demotions', async () => {
    const account = await service.addAccount({ username: 'small' });
    const one = await addPerson(service, 'one', 'owner', account.id);
    const two = await addPerson(service, 'two', 'owner', account.id);
    const [first, second] = [await signedIn(service, 'one'), await signedIn(service, 'two')];
    const answers = await Promise.all([
      first.refused('PATCH', `/people/${two.id}`, { role: 'viewer' }),
      second.refused('PATCH', `/people/${one.id}`, { suspended: true }),
    ]);
    assert.equal(answers.filter((answer) => answer.startsWith('200')).length, 1, answers.join());
    const owners = (await people.people.list(account.id)).filter(
      ({ role, suspended }) => role === 'owner' && !suspended,
    );
    assert.equal(owners.length, 1);
    const left = owners[0]!.id === one.id ? first : second;
    const itself = `/people/${owners[0]!.id}`;
    assert.equal(await left.refused('PATCH', itself, { role: 'sender' }), '409 not-now');
    assert.equal(await left.refused('PATCH', itself, { suspended: true }), '409 not-now');
    assert.equal(await left.refused('PATCH', itself, { name: 'Still here' }), '200 undefined');
  });

  test('are not those of another account; those of a subscriber are named', async () => {
    const other = await service.addAccount({ username: 'other' });
    const theirs = await addPerson(service, 'theirs', 'viewer', other.id);
    const child = await service.addAccount({ username: 'child', parentId: service.demo.id });
    const childs = await addPerson(service, 'childs', 'owner', child.id);
    for (const id of [theirs.id, childs.id, 1]) {
      assert.equal(await boss.refused('PATCH', `/people/${id}`, { name: 'x' }), '404 not-found');
      assert.equal(await boss.refused('POST', `/people/${id}/reset`), '404 not-found');
    }
    assert.equal(await boss.refused('GET', '/people?username=other'), '403 wrong-account');
    const named = await boss.ask<{ people: Person[] }>('GET', '/people?username=child');
    assert.deepEqual(
      named.people.map(({ username }) => username),
      ['childs'],
    );
    await boss.ask('PATCH', `/people/${childs.id}?username=child`, { name: 'Child' });
    const below = await signedIn(service, 'childs');
    assert.equal(await below.refused('GET', '/people?username=demo'), '403 wrong-account');
  });

  test('are not reached with a token', async () => {
    const token = withToken(service.url, DEMO_TOKEN);
    const before = await people.people.list(service.demo.id);
    const body = { username: 'by-token', name: 'By token', role: 'owner' };
    assert.deepEqual(await token.refused('POST', '/people', body), ['not-allowed', undefined, 403]);
    const path = `/people/${before[0]!.id}/reset`;
    assert.deepEqual(await token.refused('POST', path, {}), ['not-allowed', undefined, 403]);
    assert.deepEqual(await people.people.list(service.demo.id), before);
  });

  test('are not more than an account may have', async () => {
    const crowd = await service.addAccount({ username: 'crowd' });
    await service.sql`
      INSERT INTO people (id, account_id, username, name, role, created_at)
      SELECT n, ${crowd.id}, 'crowd-' || n, 'x', 'viewer', 0 FROM generate_series(1, ${MAX_PEOPLE}::bigint) n`;
    const body = { username: 'one-more', name: 'x', role: 'viewer' };
    const operator = await signedInOperator('counts');
    assert.equal(await operator.refused('POST', '/people?username=crowd', body), '409 not-now');
  });
});

async function signedInOperator(username: string): Promise<Browser> {
  await addPerson(service, username, 'operator', null);
  return signedIn(service, username);
}

describe('operators', () => {
  test('manage the people of every account, which they name', async () => {
    const operator = await signedInOperator('op');
    assert.equal(await operator.refused('GET', '/people'), '400 bad-field');
    assert.equal(await operator.refused('GET', '/people?username=nobody'), '404 unknown-user');
    const { person } = await operator.ask<Added>('POST', '/people?username=demo', {
      username: 'by-operator',
      name: 'By operator',
      role: 'owner',
    });
    const list = await operator.ask<{ people: Person[] }>('GET', '/people?username=demo');
    assert.ok(list.people.some(({ id }) => id === person.id));
  });

  test('manage themselves, and somebody stays', async () => {
    const operator = await signedInOperator('chief');
    const { person } = await operator.ask<Added>('POST', '/operator/people', {
      username: 'op2',
      name: 'Two',
    });
    assert.equal(person.role, 'operator');
    const list = async () => (await operator.ask<{ people: Person[] }>('GET', '/operator/people')).people;
    assert.ok((await list()).every(({ role }) => role === 'operator'));
    for (const { id, username } of await list()) {
      if (username !== 'chief') await operator.ask('PATCH', `/operator/people/${id}`, { suspended: true });
    }
    const self = (await list()).find(({ username }) => username === 'chief')!;
    assert.equal(
      await operator.refused('PATCH', `/operator/people/${self.id}`, { suspended: true }),
      '409 not-now',
    );
    const dana = await people.people.byUsername('dana');
    assert.equal(await operator.refused('POST', `/operator/people/${dana!.id}/reset`), '404 not-found');
    for (const { id } of await list()) {
      await operator.ask('PATCH', `/operator/people/${id}`, { suspended: false });
    }
  });
});
