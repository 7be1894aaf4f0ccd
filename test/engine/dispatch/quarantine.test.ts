import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askForRetry, listQuarantine } from '../../../server/engine/dispatch/quarantine.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* A result that cannot be stored: the others of its account go on, and it is stored when somebody asks for it. */

const service = await startTestService();
const { sql } = service;
const phones = ['0501234561', '0501234562', '0501234563', '0501234564'];
const victim = '972501234563';

test('one result that cannot be stored is put aside, and stored when it is tried again', async () => {
  await sql.unsafe(
    `ALTER TABLE messages ADD CONSTRAINT victim_check CHECK (recipient <> '${victim}' OR (handed_at IS NULL AND final_at IS NULL))`,
  );
  const answer = await service.call('json', 'sms', {
    source: 'Carillon',
    message: 'hello',
    destinations: { phone: phones },
  });
  assert.equal(answer.status, 0, answer.message);
  const [kept] = await waitFor('it is put aside', async () => {
    const rows = await listQuarantine(sql, 10);
    return rows.length > 0 && rows;
  });
  assert.match(kept!.reason, /23514 victim_check/);
  assert.doesNotMatch(kept!.payload, new RegExp(victim));
  const delivered = async () =>
    (await sql<{ phone: string }[]>`SELECT recipient AS phone FROM messages WHERE final_at IS NOT NULL`).map(
      ({ phone }) => phone,
    );
  await waitFor('the others are delivered', async () => (await delivered()).length === 3);
  await sql.unsafe('ALTER TABLE messages DROP CONSTRAINT victim_check');
  assert.ok((await askForRetry(sql, Date.now(), undefined)) > 0);
  await waitFor('it is delivered', async () => {
    await askForRetry(sql, Date.now(), undefined);
    return (await delivered()).includes(victim);
  });
  await waitFor('nothing is left', async () => (await listQuarantine(sql, 10)).length === 0);
});
