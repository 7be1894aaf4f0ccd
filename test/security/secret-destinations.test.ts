import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPerson, signedIn } from '../support/console.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { startTestService } from '../support/service.ts';
import { tables } from '../support/tables.ts';

/* "I may change the address, not read the secret": a stored secret is never sent to a server of my choice. */

const service = await startTestService();
await addPerson(service, 'mallory', 'operator', null);
const mallory = await signedIn(service, 'mallory');

/** How each secret that leaves the service is moved to another address, by its column. */
const attempts: Readonly<Record<string, () => Promise<void>>> = {
  'connectors.password': async () => {
    const smpp = { host: '127.0.0.1', port: 1, system_id: 'me', password: 'secret12' };
    await mallory.ask('POST', '/operator/connectors', { name: 'moved', is_enabled: false, smpp });
    const path = '/operator/connectors/moved';
    for (const moved of [{ host: '127.0.0.2' }, { port: 2 }, { tls: true }]) {
      assert.equal(await mallory.refused('PATCH', path, { smpp: moved }), '400 bad-field');
    }
    await mallory.ask('PATCH', path, { smpp: { window: 7, host: '127.0.0.1', port: 1, tls: false } });
    await mallory.ask('PATCH', path, { smpp: { host: '127.0.0.2', password: 'secret34' } });
    const sip = { uri: 'sip:127.0.0.1:1', caller_id: '+97237654321', username: 'me', password: 'secret12' };
    await mallory.ask('POST', '/operator/connectors', { name: 'trunk', is_enabled: false, sip });
    const other = { sip: { uri: 'sip:127.0.0.2:1' } };
    assert.equal(await mallory.refused('PATCH', '/operator/connectors/trunk', other), '400 bad-field');
    const description = (url: string) => ({
      send: { url, auth: { bearer: '{secret.key}' } },
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      answer: { rules: [{ when: { status: 200 }, then: 'accepted' }] },
    });
    const http = { description: description('https://one.example/send'), secrets: { key: 'secret12' } };
    await mallory.ask('POST', '/operator/connectors', { name: 'provider', is_enabled: false, http });
    const moved = { description: description('https://other.example/send') };
    const provider = '/operator/connectors/provider';
    assert.equal(await mallory.refused('PATCH', provider, { http: moved }), '400 bad-field');
    const sameHost = { description: description('http://one.example/send') };
    assert.equal(await mallory.refused('PATCH', provider, { http: sameHost }), '400 bad-field');
    const known = { ...moved, secrets: { key: 'secret34' } };
    assert.equal(await mallory.refused('PATCH', provider, { http: known }), '400 bad-field');
    await mallory.ask('PATCH', provider, { http: { ...known, path_secret: null } });
  },
  'number_look_ups.secrets': async () => {
    const at = (url: string) => ({
      send: { method: 'GET', url, auth: { bearer: '{secret.key}' } },
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      answer: { rules: [{ when: { status: 200 }, then: 'found' }], network: '/network' },
    });
    const path = '/operator/number-lookup';
    const body = { description: at('https://one.example/{to.digits}'), is_enabled: false };
    await mallory.ask('PUT', path, { ...body, secrets: { key: 'secret12' } });
    for (const moved of ['https://other.example/{to.digits}', 'http://one.example/{to.digits}'])
      assert.equal(await mallory.refused('PUT', path, { ...body, description: at(moved) }), '400 bad-field');
    await mallory.ask('PUT', path, { ...body, description: at('https://one.example/numbers/{to.digits}') });
  },
  'sign_in_providers.client_secret': async () => {
    const [mine, theirs] = [await startIdentityProvider(), await startIdentityProvider()];
    const { id } = await mallory.ask<{ id: string }>('POST', '/operator/sign-in-providers', {
      slug: 'moved',
      name: 'Moved',
      issuer: theirs.issuer,
      client_id: 'carillon',
      client_secret: 'secret12',
      rules: [],
    });
    const path = `/operator/sign-in-providers/${id}`;
    const { issuer } = mine;
    assert.equal(await mallory.refused('PATCH', path, { issuer }), '400 bad-field');
    const [person] = await service.sql<{ id: number }[]>`SELECT id FROM people WHERE username = 'mallory'`;
    const provider = { id: Number(id), session: null, secondFactor: false };
    const { sessions } = service.appContext.people;
    const origin = { address: '::1', agent: 'test' };
    const token = await sessions.start(service.sql, person!.id, origin, { provider });
    await mallory.ask('PATCH', path, { issuer, client_secret: 'secret34' });
    assert.equal(await sessions.find(token), null, 'sessions of the provider end with its issuer');
  },
};

for (const { purpose, sentTo } of tables.sealedColumns.filter((one) => Array.isArray(one.sentTo))) {
  test(`${purpose} stays with ${[sentTo].flat().join(', ')}`, async () => {
    const attempt = attempts[purpose];
    assert.ok(attempt, `${purpose} has no attempt here`);
    await attempt();
  });
}
