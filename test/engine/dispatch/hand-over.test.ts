import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allFinal, mustSend, phones, startNetwork, statuses } from '../../faults/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* Messages that the dispatcher of the accepting process takes without reading them, and those that it does not. */

const network = await startNetwork({ answerDelayMs: Number.POSITIVE_INFINITY });
const { url, sql, account } = await startDispatching(network, { responseTimeoutMs: 600_000 }, undefined, {
  COPY_PAUSE_SECONDS: '0',
});
const accounts = await Promise.all(['one', 'two', 'three'].map((name) => account(name, 1_000)));

interface Batch {
  readonly leased: boolean;
  /** Whether the row is as the transaction of the message has written it. */
  readonly asStored: boolean;
}

const batches = async () => [
  ...(await sql<Batch[]>`
  SELECT b.lease_owner IS NOT NULL AND b.lease_until > 0 AS leased, b.xmin = m.xmin AS "asStored"
  FROM dispatch_batches b JOIN messages m ON m.account_id = b.account_id AND m.batch_id = b.id`),
];

test('a single message is submitted under the lease that it was stored with', async () => {
  await Promise.all(accounts.map((caller, index) => mustSend(url, caller, phones(index, 1))));
  await waitFor('all are submitted', () => network.submits.length === accounts.length);
  assert.deepEqual(
    await batches(),
    accounts.map(() => ({ leased: true, asStored: true })),
  );
});

test('while no connection is up, messages are stored without a lease; all go out when one is', async () => {
  await network.smsc.close();
  await waitFor(
    'the connector is down',
    async () => (await fetch(`${url}/readyz?for=dispatch`)).status === 503,
  );
  await mustSend(url, accounts[0]!, phones(10, 1));
  const waiting = (await batches()).filter(({ leased }) => !leased);
  assert.deepEqual(waiting, [{ leased: false, asStored: true }]);

  network.smsc.change({ answerDelayMs: 0 });
  await network.smsc.listen(network.port);
  await allFinal(sql);
  assert.deepEqual(await statuses(sql), { 102: accounts.length + 1 });
});
