import './ratings/install.ts';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { newPhone, stored } from '../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The contract of a module (server/run/define-module.ts), by a module that the product does not have: ratings by people. It is the
 * folder ratings/ and the line in ratings/install.ts; nothing else knows it.
 */

interface Ratings {
  readonly ratings: readonly { readonly phone: string; readonly stars: number; readonly verdict: string }[];
  readonly counted: number;
  readonly total: number;
}

const service = await startTestService({ schema: 'migrate' });
const { sql, demo, url } = service;
const api = withToken(url, DEMO_TOKEN);
const phone = newPhone();
const list = () => api.get<Ratings>('/ratings');

test('its routes store and list, and its job counts', async () => {
  await api.post('/ratings', { phone, stars: 5 });
  await api.post('/ratings', { phone: newPhone(), stars: 2 });
  const { ratings } = await list();
  assert.deepEqual(
    ratings.map(({ stars, verdict }) => [stars, verdict]),
    [
      [2, 'bad'],
      [5, 'good'],
    ],
  );
  await waitFor('the ratings to be counted', async () => {
    const { counted, total } = await list();
    return counted === 2 && total === 7;
  });
});

test('its access rules hold', async () => {
  const viewer = await asPerson(service, 'viewer', demo.id);
  assert.equal((await viewer.get<Ratings>('/ratings')).counted, 2);
  const refused = await viewer.refused('POST', '/ratings', { phone: newPhone(), stars: 1 });
  assert.equal(refused[2], 403);
  assert.equal((await fetch(`${url}/v1/ratings`)).status, 401);
});

test('its tables are those of the service', async () => {
  const { tables } = service.appContext;
  assert.ok(tables.placements.some(({ table, column }) => table === 'ratings' && column === 'account_id'));
  assert.ok(tables.erased.includes('ratings'));
  assert.equal((await sql`SELECT name FROM migrations WHERE number = 9001`).length, 1);
});

test('a search finds its rows about a person, and an erasure removes them', async () => {
  const owner = await asPerson(service, 'owner', demo.id);
  const named = { phones: [phone] };
  const { counts } = await owner.post<{ counts: unknown }>('/data-subjects/search', named);
  assert.deepEqual(counts, [{ kind: 'contacts', count: 1 }]);
  const body = { ...named, confirm: phone };
  const { id } = await owner.post<{ id: string }>('/data-subjects/erasures', body, 202);
  await waitFor('the rows to be erased', async () => {
    const { state } = await owner.get<{ state: string }>(`/data-subjects/requests/${id}`);
    return state === 'rechecking';
  });
  const rows = await sql`SELECT id FROM ratings WHERE account_id = ${demo.id} AND phone = ${stored(phone)}`;
  assert.equal(rows.length, 0);
  assert.equal((await list()).ratings.length, 1);
});

test('the description of the API has its routes', async () => {
  const description = await (await fetch(`${url}/docs/openapi.json`)).text();
  assert.match(description, /"\/v1\/ratings"/);
  assert.match(description, /"operationId":"addRating"/);
});
