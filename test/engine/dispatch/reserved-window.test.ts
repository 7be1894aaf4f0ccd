import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishingTime } from '../../../server/engine/messages/finishing-time.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { allFinal, mustSend, phone, phones, startNetwork, statuses } from '../../faults/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* A campaign that a network does not answer: what it leaves of the window. */

const WINDOW = 40;
/** A twentieth is for the lanes above bulk. */
const FOR_CAMPAIGNS = 38;
const CAMPAIGN = 100;
const isOfCampaign = (to: string) => to < phone(CAMPAIGN);
const network = await startNetwork({
  answerDelayMs: ({ to }) => (isOfCampaign(to) ? Number.POSITIVE_INFINITY : 0),
});
const { url, sql, account, clock } = await startDispatching(
  network,
  { window: WINDOW, responseTimeoutMs: 600_000 },
  undefined,
  { COPY_PAUSE_SECONDS: '0' },
);
const crowd = await account('crowd', 3_000);
const single = await account('single', 1_000);

test('a campaign fills the window except for a twentieth, which a single message uses', async () => {
  const ofCampaign = () => network.submits.filter(({ to }) => isOfCampaign(to)).length;
  await mustSend(url, crowd, phones(0, CAMPAIGN));
  await waitFor('the campaign has its part of the window', () => ofCampaign() >= FOR_CAMPAIGNS);
  const numbers = phones(CAMPAIGN, 5);
  for (const number of numbers) {
    await mustSend(url, single, [number]);
    await waitFor('the single message is out', () => network.taken.has(number));
  }
  assert.equal(ofCampaign(), FOR_CAMPAIGNS);

  network.smsc.change({ answerDelayMs: 0 });
  network.smsc.disconnect();
  await allFinal(sql);
  assert.deepEqual(await statuses(sql), { 102: CAMPAIGN + numbers.length });
});

test('estimates use the rate that the network was seen to take with a full window', async () => {
  const SENT = 60_000;
  // A window of 40 that is answered after 200 ms: 200 messages a second, and more in a look that sees a sixth window.
  network.smsc.change({ answerDelayMs: 200 });
  await mustSend(url, crowd, phones(CAMPAIGN + 5, 1_500));
  await waitFor('its rate is known', async () => {
    const rows = await sql`SELECT FROM links WHERE observed_rate IS NOT NULL`;
    return rows.length > 0;
  });
  network.smsc.change({ answerDelayMs: 0 });
  const [{ name } = { name: '' }] = await sql<{ name: string }[]>`SELECT name FROM links`;
  const dueAt = clock.now();
  const ends = await finishingTime(
    { sql, clock, connectors: () => [{ name, messagesPerSecond: 0 }] },
    { accountId: single.id, lane: lanes.single, messages: SENT, dueAt },
  );
  assert.ok(ends - dueAt >= (SENT / 400) * 1_000, `${ends - dueAt} ms`);
  await allFinal(sql);
});
