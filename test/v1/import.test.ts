import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const service = await startTestService();
const headers = { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'text/csv' };

interface Import {
  id: string;
  state: string;
  added: number;
  refused: number;
  refused_rows: { line: number; reason: string }[];
}

async function newList(): Promise<string> {
  const answer = await service.call('json', 'newCL', { cl: { name: 'friends', destinations: {} } });
  assert.equal(answer.status, 0);
  return (answer.fields.identifiers as string[])[0]!;
}

test('a CSV is imported but for its bad rows, which are told of, and comes out again', async () => {
  const list = await newList();
  const csv = '\ufeffphone;name;city\n0501111111;"Noa; L";Haifa\nnonsense;x;y\n0502222222;Omer;Eilat\n';
  const started = await fetch(`${service.url}/v1/contact-lists/${list}/import`, {
    method: 'POST',
    headers,
    body: csv,
  });
  const { id } = (await started.json()) as Import;
  const done = await waitFor('the import', async () => {
    const response = await fetch(`${service.url}/v1/imports/${id}`, { headers });
    const job = (await response.json()) as Import;
    return job.state === 'done' && job;
  });
  assert.equal(done.added, 2);
  assert.equal(done.refused, 1);
  assert.equal(done.refused_rows[0]!.line, 3);
  const exported = await fetch(`${service.url}/v1/contact-lists/${list}/export`, { headers });
  assert.deepEqual((await exported.text()).replace('\ufeff', '').trim().split(/\r?\n/), [
    'phone,name,city',
    '0501111111,Noa; L,Haifa',
    '0502222222,Omer,Eilat',
  ]);
});

test('an import needs a token, and a list of one’s own', async () => {
  const list = await newList();
  const importAs = (token: string) =>
    fetch(`${service.url}/v1/contact-lists/${list}/import`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: 'phone\n0501111111\n',
    });
  assert.equal((await importAs('nobody')).status, 401);
  const other = await service.addAccount({ username: 'other' });
  const { token } = await service.foundation.tokens.mint(other.id);
  assert.equal((await importAs(token)).status, 404);
});
