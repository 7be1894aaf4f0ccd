import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { finalLegsOf, startVoiceService } from './support.ts';

/** How often a call rings, and how long it waits in between. */
const service = await startVoiceService();
const { sql } = service;
const { clock } = service.appContext;
const MINUTE = 60_000;

/** A call to a phone that is busy, in a minute. */
async function callLater(phone: string) {
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone },
    message: 'Hi',
    tts: { type: 4, repeat: 1 },
    timing: formatLocal(clock.now() + 2 * MINUTE, 'Asia/Jerusalem'),
  });
  assert.equal(answer.status, 0, answer.message);
  return answer;
}

const batchAfter = (attempt: number) =>
  waitFor(`attempt ${attempt} waits`, async () => {
    const [row] = await sql<{ due_at: number; rings: number[] | null }[]>`
      SELECT due_at, rings FROM dispatch_batches WHERE channel = 3 AND attempt = ${attempt}`;
    return row;
  });

test('pauses between rings grow, and the third is the last', async () => {
  const answer = await callLater('0503380001');
  await service.advance(120);
  for (const [rings, least] of [
    [1, MINUTE],
    [2, 2 * MINUTE],
  ] as const) {
    const batch = await batchAfter(rings);
    assert.deepEqual(batch.rings, [rings]);
    const pause = batch.due_at - clock.now();
    assert.ok(pause > least / 2 && pause <= least, `pause ${rings}: ${pause} ms`);
    await service.advance(Math.ceil(pause / 1_000));
  }
  const [leg] = await finalLegsOf(service, answer);
  assert.deepEqual([leg!.status, leg!.code], [101, 'BUSY/486']);
});

test('attempts without capacity do not count as ringing', async () => {
  const answer = await callLater('0503390001');
  // As after five 503 of the trunk.
  await sql`UPDATE dispatch_batches SET attempt = 5 WHERE channel = 3`;
  await service.advance(120);
  for (const rings of [1, 2]) {
    const batch = await batchAfter(5 + rings);
    assert.deepEqual(batch.rings, [rings]);
    await service.advance(Math.ceil((batch.due_at - clock.now()) / 1_000));
  }
  const [leg] = await finalLegsOf(service, answer);
  assert.deepEqual([leg!.status, leg!.code], [101, 'BUSY/486']);
});

test('a trunk without capacity is asked again, and the call does not count as a ring', async () => {
  const answer = await callLater('0503380005');
  await service.advance(120);
  const batch = await batchAfter(1);
  assert.equal(batch.rings, null);
  await service.advance(Math.ceil((batch.due_at - clock.now()) / 1_000));
  const [leg] = await finalLegsOf(service, answer);
  assert.equal(leg!.status, 102);
});
