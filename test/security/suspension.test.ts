import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { isResting } from '../../server/engine/messages/resting.ts';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { newClient, SOURCE, startChat, templateId } from '../channels/chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../channels/mail/campaign-support.ts';
import { newPhone, newPhones } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * A thief holds an account, and has sent and scheduled as much as possible. The operator suspends the account: nothing goes out,
 * nothing is lost, and the operator decides what happens to the messages that were accepted before.
 */

const service = await startChat();
const { sql, demo } = service;
const { clock } = service.appContext;
let operator = await asPerson(service, 'operator');
const owner = await asPerson(service, 'owner', demo.id);
const calls = withToken(service.url, DEMO_TOKEN);
const mail = mailAt(v1At(service.url));

const suspend = (id = demo.id) => operator.post(`/operator/accounts/${id}/suspend`);
const lift = (id = demo.id) => operator.post(`/operator/accounts/${id}/lift`);
const inAnHour = () => new Date(clock.now() + 3_600_000).toISOString();
const sms = (phones: readonly string[], over = {}) =>
  calls.post<{ shipment_id: string }>('/sms', { source: 'Shop', message: 'hello', phones, ...over }, 202);
const setRate = (rate: number) => operator.call('PATCH', '/operator/sandbox', { messages_per_second: rate });

interface Shown {
  readonly state: string;
  readonly held: boolean;
  readonly progress: Record<'waiting' | 'submitted' | 'delivered' | 'failed' | 'cancelled', number>;
}
const show = (id: string) => calls.get<Shown>(`/shipments/${id}`);
interface Held {
  readonly since: string | null;
  readonly messages: number;
  readonly campaigns: number;
  readonly cancelled_at: string | null;
}
const held = (id = demo.id) => operator.get<Held>(`/operator/accounts/${id}/held`);

/** Waits until all batches and campaigns of the account rest: no loop looks for them. */
const allRests = () =>
  waitFor('everything rests', async () => {
    const rows = await sql<{ due: number; lease_until: number }[]>`
      SELECT due_at AS due, lease_until FROM dispatch_batches WHERE account_id = ${demo.id}
      UNION ALL SELECT next_at, lease_until FROM campaigns WHERE account_id = ${demo.id} AND next_at IS NOT NULL`;
    return rows.every(({ due }) => isResting(due));
  });

const other = await service.addAccount({ username: 'somebody-else' }, 1_000);
/** Sends a message of another account and waits for it, so that the dispatcher had its chance to send held messages. */
async function othersGoOn(): Promise<void> {
  const phone = newPhone();
  const { shipment_id } = await withToken(service.url, other.token).post<{ shipment_id: string }>(
    '/sms',
    { source: 'Other', message: 'hello', phones: [phone] },
    202,
  );
  assert.ok(shipment_id);
  await waitFor('it arrives', async () => (await service.phone(phone)).length === 1);
}

describe('suspension', () => {
  afterEach(() => lift());

  test('a scheduled campaign of a suspended account does not start, and resumes after the suspension', async () => {
    const phones = newPhones(3);
    const { shipment_id } = await sms(phones, { at: inAnHour() });
    await suspend();
    await allRests();
    await service.advance(2 * 3_600);
    await othersGoOn();
    assert.equal((await service.phone(phones[0]!)).length, 0);
    const shown = await show(shipment_id);
    assert.deepEqual([shown.state, shown.held, shown.progress.waiting], ['scheduled', true, 3]);
    const { messages, since } = await held();
    assert.deepEqual([messages, since !== null], [3, true]);
    await lift();
    await waitFor('it goes on', async () => (await show(shipment_id)).progress.delivered === 3);
    assert.equal((await show(shipment_id)).held, false);
  });

  test('a running campaign of a suspended account stops within the window, and resumes without a copy', async () => {
    await setRate(5);
    const phones = newPhones(40);
    const { shipment_id } = await sms(phones);
    await waitFor('some are delivered', async () => (await show(shipment_id)).progress.delivered > 0);
    await suspend();
    await setRate(0);
    await allRests();
    const left = await waitFor('nothing is at the carrier', async () => {
      const { progress } = await show(shipment_id);
      return progress.submitted === 0 && progress.waiting;
    });
    assert.ok(left > 0);
    await othersGoOn();
    assert.equal((await show(shipment_id)).progress.waiting, left);
    await lift();
    await waitFor('it is through', async () => (await show(shipment_id)).progress.delivered === 40);
    assert.equal((await service.phone(phones.at(-1)!)).length, 1);
  });

  test('chat and mail campaigns of a suspended account are held', async () => {
    const [client, address] = [newClient(), newAddress()];
    await operator.call('PATCH', '/operator/sandbox', { messages_per_second: 0 });
    const list = await mail.list([{ email: address }]);
    const body = { source: SOURCE, template_id: templateId('plain'), phones: [client], at: inAnHour() };
    const chat = await calls.post<{ id: string }>('/chat/campaigns', body, 202);
    const mailId = await mail.send([list], { at: inAnHour() });
    await suspend();
    await allRests();
    await service.advance(2 * 3_600);
    await othersGoOn();
    assert.deepEqual(await mail.mailbox(address), []);
    assert.equal((await held()).campaigns, 2);
    for (const id of [chat.id, mailId]) assert.equal((await calls.get<Shown>(`/campaigns/${id}`)).held, true);
    await lift();
    await service.arrived(client);
    await mail.finished(mailId);
    assert.equal((await mail.mailbox(address)).length, 1);
  });

  test('no API accepts messages, codes, files or speech of a suspended account', async () => {
    const list = await mail.list([{ email: newAddress() }]);
    await suspend();
    const attempts: [path: string, body: object, code: string][] = [
      ['/sms', { source: 'Shop', message: 'hello', phones: [newPhone()] }, 'not-now'],
      ['/otp', { phone: newPhone(), source: 'Shop' }, 'not-now'],
      ['/chat/messages', { source: SOURCE, to: newClient(), template_id: templateId('plain') }, 'suspended'],
      [
        '/chat/campaigns',
        { source: SOURCE, phones: [newClient()], template_id: templateId('plain') },
        'suspended',
      ],
      [
        '/mail/campaigns',
        {
          from: { name: 'The shop', address: 'news@shop.example' },
          subject: 'Hi',
          text: 'Hi',
          lists: [list],
        },
        'not-allowed',
      ],
      ['/speech/preview', { text: 'hello' }, 'not-now'],
    ];
    for (const [path, body, code] of attempts) {
      assert.equal((await calls.refused('POST', path, body))[0], code, path);
    }
    const upload = await owner.fetch('POST', '/media?kind=document&file_name=a.pdf', '%PDF-1.4', {
      'content-type': 'application/octet-stream',
    });
    assert.equal(upload.status, 409);
    await lift();
  });

  test('the operator cancels and refunds everything that waits of a suspended account', async () => {
    const before = await service.balance();
    const single = newPhones(3);
    const { shipment_id } = await sms(newPhones(5), { at: inAnHour() });
    const address = newAddress();
    const mailId = await mail.send([await mail.list([{ email: address }])], { at: inAnHour() });
    for (const phone of single) await sms([phone], { at: inAnHour() });
    await suspend();
    await operator.post(`/operator/accounts/${demo.id}/held/cancel`, undefined, 202);
    await waitFor('all of it is cancelled', async () => {
      const { cancelled_at, messages, campaigns } = await held();
      return cancelled_at !== null && messages + campaigns === 0;
    });
    assert.equal((await show(shipment_id)).state, 'cancelled');
    assert.equal((await calls.get<Shown>(`/campaigns/${mailId}`)).state, 'cancelled');
    assert.equal(await service.balance(), before);
    await lift();
    await service.advance(2 * 3_600);
    await othersGoOn();
    assert.deepEqual([await mail.mailbox(address), await service.phone(single[0]!)], [[], []]);
  });

  test('messages that outlast their validity during a suspension expire with a refund', async () => {
    const before = await service.balance();
    const { shipment_id } = await sms(newPhones(2), { at: inAnHour() });
    await suspend();
    await allRests();
    await service.advance(4 * 24 * 3_600);
    operator = await asPerson(service, 'operator');
    await lift();
    await waitFor('they expire', async () => (await show(shipment_id)).progress.failed === 2);
    await waitFor('they are refunded', async () => (await service.balance()) === before);
  });

  test('a suspension holds the messages of subscribers', async () => {
    const subscriber = await service.addAccount({ username: 'a-subscriber', parentId: demo.id }, 100);
    const its = withToken(service.url, subscriber.token);
    const body = { source: 'Sub', message: 'hello', phones: [newPhone()], at: inAnHour() };
    await its.post('/sms', body, 202);
    await suspend();
    assert.equal((await held(subscriber.id)).messages, 1);
    assert.equal((await its.refused('POST', '/sms', body))[0], 'not-now');
    assert.equal(
      (await operator.refused('POST', `/operator/accounts/${other.id}/held/cancel`))[0],
      'not-now',
    );
    await lift();
    await waitFor('it is scheduled again', async () => (await held(subscriber.id)).messages === 0);
  });
});
