import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allFinal, mustSend, phones, startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { databaseUrl, Installation, knownTo } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Two processes of the program on one database: the connector moves from the first to the second and back. */

const WINDOW = 50;
const { sql, target } = await createDatabase();
const network = await startNetwork();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: WINDOW }),
});
const serve = { args: ['serve'], ready: false };

test('a process that lost its carrier connection sends again when it gets the connection back', async () => {
  const first = await installation.start(serve);
  await waitFor('the first process is bound', () => network.smsc.boundSessions === 1);
  const second = await installation.start(serve);
  const account = await installation.account(first.url, 'moved', 1_000);
  await knownTo(second.url, account);
  const times = (program: typeof first, what: string) => program.output().split(`"msg":"${what}"`).length - 1;

  process.kill(first.pid, 'SIGSTOP');
  // The lease of a process that is paused for longer.
  await sql`UPDATE links SET lease_until = 0`;
  await waitFor('the second process holds the connector', () => times(second, 'holding the connector') === 1);
  process.kill(first.pid, 'SIGCONT');
  await waitFor(
    'the first process has noticed',
    () => times(first, 'another process has taken the connector') === 1,
  );
  await waitFor('only the second process is bound', () => network.smsc.boundSessions === 1);
  await mustSend(first.url, account, phones(0, 20));
  await allFinal(sql);

  assert.deepEqual(await second.stop(), { code: 0, signal: null });
  await waitFor(
    'the first process holds the connector again',
    () => times(first, 'holding the connector') === 2,
  );
  await mustSend(first.url, account, phones(1_000, 20));
  await allFinal(sql);
  assert.equal(network.taken.size, 40);
  assert.equal(network.duplicates(), 0);
});
