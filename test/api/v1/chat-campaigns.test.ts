import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { covers } from '../../conformance/covers.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, v1 } from './support.ts';

/** `/v1/chat/campaigns`, on the sandbox's platform. */
const chat = await startChat();
const api = v1(chat.url, DEMO_TOKEN);

interface Shown {
  readonly id: string;
  readonly name: string | null;
  readonly state: string;
  readonly total: number;
  readonly finished_at: string | null;
}
interface Progress extends Shown {
  readonly progress: Record<string, unknown>;
}

let campaigns = 0;

/** Sends a campaign; its id. */
async function send(phones: readonly string[], over: Record<string, unknown> = {}): Promise<string> {
  const name = `campaign ${++campaigns}`;
  const answer = await chat.post('create-campaign-wa', {
    source: SOURCE,
    destinations: { phones },
    campaign_message: templateId('plain'),
    campaign_name: name,
    future_campaign: 'instant',
    ...over,
  });
  assert.deepEqual(answer.json, { data: { success: true, sum: phones.length } });
  const { campaigns: list } = await json<{ campaigns: Shown[] }>(api.get('/chat/campaigns?limit=1'));
  assert.equal(list[0]!.name, name);
  return list[0]!.id;
}

const show = (id: string) => json<Progress>(api.get(`/chat/campaigns/${id}`));
const act = (id: string, action: string, status = 200) =>
  json<Shown & { cancelled?: number; submitted?: number; error?: { code: string } }>(
    api.post(`/chat/campaigns/${id}/${action}`),
    status,
  );
const later = () => ({
  future_campaign: 'future',
  from_date: formatLocal(chat.appContext.clock.now() + 3_600_000, 'Asia/Jerusalem'),
});

test(
  'a campaign from its acceptance to its end: state, counts, and who was not reached',
  covers('A3.failures', 'chat.campaign'),
  async () => {
    const phones = [newClient(), newClient(), newClient()];
    const id = await send([...phones, '12']);
    const ended = await waitFor('all of it is delivered', async () => {
      const shown = await show(id);
      return (
        shown.state === 'finished' &&
        Number(shown.progress.delivered) + Number(shown.progress.read) === 3 &&
        shown
      );
    });
    assert.equal(ended.total, 4);
    assert.ok(ended.finished_at);
    assert.deepEqual(
      [ended.progress.made, ended.progress.waiting, ended.progress.failed, ended.progress.cancelled],
      [4, 0, { 'bad-destination': 1 }, 0],
    );
    const { failures, next } = await json<{
      failures: { phone: string; reason: string }[];
      next: string | null;
    }>(api.get(`/chat/campaigns/${id}/failures`));
    assert.deepEqual(
      failures.map(({ phone, reason }) => [phone, reason]),
      [['12', 'bad-destination']],
    );
    assert.equal(next, null);
    for (const action of ['pause', 'resume', 'cancel']) {
      assert.equal((await act(id, action, 409)).error!.code, 'not-now');
    }
  },
);

test('lists and failures come page by page', covers('A3.progress'), async () => {
  const ids = [await send(['1', '2', newClient()]), await send([newClient()])];
  const first = await json<{ campaigns: Shown[]; next: string }>(api.get('/chat/campaigns?limit=1'));
  const second = await json<{ campaigns: Shown[] }>(api.get(`/chat/campaigns?limit=1&after=${first.next}`));
  assert.deepEqual([first.campaigns[0]!.id, second.campaigns[0]!.id], ids.toReversed());
  await waitFor('it is made', async () => (await show(ids[0]!)).progress.made === 3);
  type Page = { failures: { phone: string }[]; next: string | null };
  const failures = (query: string) => json<Page>(api.get(`/chat/campaigns/${ids[0]}/failures?${query}`));
  const one = await failures('limit=1');
  const two = await failures(`limit=1&after=${one.next}`);
  assert.deepEqual([one.failures[0]!.phone, two.failures[0]!.phone, two.next], ['1', '2', null]);
});

test('a paused campaign waits, then continues', covers('A3.paused'), async () => {
  const phone = newClient();
  const id = await send([phone], later());
  assert.equal((await show(id)).state, 'scheduled');
  assert.equal((await act(id, 'pause')).state, 'paused');
  await chat.advance(2 * 3_600);
  assert.deepEqual([(await show(id)).state, (await show(id)).progress.made], ['paused', 0]);
  await act(id, 'resume');
  await waitFor('it arrives', async () => (await show(id)).state === 'finished');
});

test(
  'cancelled, its credit comes back; the SMS family knows it by its name, too',
  covers('A3.cancelled'),
  async () => {
    const before = await chat.balance();
    const id = await send([newClient(), newClient()], later());
    assert.equal(await chat.balance(), before - 2);
    const cancelled = await act(id, 'cancel');
    assert.deepEqual([cancelled.state, cancelled.cancelled, cancelled.submitted], ['cancelled', 2, 0]);
    assert.equal(await chat.balance(), before);
    await act(id, 'cancel', 409);
    const { name } = await show(await send([newClient()], later()));
    const answer = await chat.call('xml', 'cancel', { campaign_name: name });
    assert.deepEqual([answer.status, answer.fields.count], [0, '1']);
    assert.equal(await chat.balance(), before);
  },
);

test('what the platform refuses is refunded, and the campaign says how much', async () => {
  const id = await send([newClient(), `${newClient().slice(0, -4)}0003`]);
  const { cost, net_cost } = await waitFor('one is refused', async () => {
    const shown = await json<{ cost: string; net_cost: string; refunded: string }>(
      api.get(`/campaigns/${id}`),
    );
    return shown.refunded === '1' && shown;
  });
  assert.deepEqual([cost, net_cost], ['2', '1']);
});

test(
  'campaigns of others, shipments of SMS and what is no id are not found',
  covers('A3.others'),
  async () => {
    const other = await chat.addAccount({ username: 'stranger' });
    const id = await send([newClient()], later());
    for (const [path, token] of [
      [id, other.token],
      ['1', DEMO_TOKEN],
      ['abc', DEMO_TOKEN],
    ] as const) {
      const theirs = v1(chat.url, token);
      await json(theirs.get(`/chat/campaigns/${path}`), 404);
      await json(theirs.get(`/chat/campaigns/${path}/failures`), 404);
      for (const action of ['pause', 'resume', 'cancel']) {
        await json(theirs.post(`/chat/campaigns/${path}/${action}`), 404);
      }
    }
    await act(id, 'cancel');
  },
);
