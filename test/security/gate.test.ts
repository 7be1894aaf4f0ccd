import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { boundEsme, PASSWORD } from '../api/smpp/support.ts';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { newClient, SOURCE, startChat, templateId } from '../channels/chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../channels/mail/campaign-support.ts';
import { freePort } from '../support/free-port.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type AttemptName, callers, covered, sources } from './gate-callers.ts';
import { interfaceSettings, sendByInterface, ways } from './gate-interfaces.ts';

/*
 * A thief tries every path to the outside with a suspended account: each caller of the gate or the acceptor (gate-callers.ts) has an
 * attempt below, and only the files below write messages. gate-policies.test.ts walks the same callers under the other rules.
 */

const smppPort = await freePort();
const service = await startChat({ ...interfaceSettings, SMPP_SERVER_PORT: String(smppPort) });
const { sql, demo } = service;
const calls = withToken(service.url, DEMO_TOKEN);
const owner = await asPerson(service, 'owner', demo.id);
const operator = await asPerson(service, 'operator');
const mail = mailAt(v1At(service.url));
const refusedAs = async (path: string, body: object) => (await calls.refused('POST', path, body))[0];

/** What is prepared while the account may still send. */
let list: string;
let conversation: string;
let rule: string;
let replaced: string;
const scheduled = { at: new Date(service.appContext.clock.now() + 3_600_000).toISOString() };
const sms = { source: 'Shop', message: 'hello' };
const content = { from: { name: 'Shop', address: 'news@shop.example' }, subject: 'Hi', text: 'Hi' };
const stranger = newPhone();
await owner.post('/smpp-clients', { system_id: 'thief', password: PASSWORD, name: 'Thief' });
const esme = await boundEsme({ after }, { port: smppPort }, 'thief');

const attempts: Readonly<Record<AttemptName, () => Promise<void>>> = {
  async sms() {
    assert.equal(await refusedAs('/sms', { ...sms, phones: [newPhone()] }), 'not-now');
    const destinations = { phone: [{ $: {}, _: newPhone() }] };
    const answer = await service.call('json', 'sms', { source: 'Shop', destinations, message: 'hello' });
    assert.notEqual(answer.status, 0);
  },
  async 'SMPP message'() {
    const { command_status, message_id } = await esme.submit({
      destination_addr: newPhone(),
      short_message: 'hello',
    });
    assert.notEqual(command_status, 0);
    assert.ok(!message_id);
  },
  async 'sms of another gateway'() {
    const asked = ways.map((way) => sendByInterface(service, way, { to: newPhone(), from: 'Shop' }));
    for (const { status } of await Promise.all(asked)) assert.equal(status, 403);
  },
  async fallback() {
    await service.advance(5);
    await waitFor('the other channel is refused', async () => {
      const [row] = await sql<{ reason: string | null }[]>`
        SELECT reason FROM fallbacks WHERE account_id = ${demo.id} AND id = ${replaced}`;
      return row!.reason === 'account-suspended';
    });
    assert.equal((await sql`SELECT FROM fallback_messages WHERE account_id = ${demo.id}`).length, 0);
  },
  async 'test message'() {
    const body = { account_id: String(demo.id), source: 'Shop', phone: newPhone(), message: 'hello' };
    const path = '/operator/connectors/sandbox/test-messages';
    assert.equal((await operator.refused('POST', path, body))[0], 'not-now');
  },
  async code() {
    assert.equal(await refusedAs('/otp', { phone: newPhone(), source: 'Shop' }), 'not-now');
  },
  async verification() {
    assert.equal((await owner.refused('POST', '/sources/verify', { phones: [newPhone()] }))[0], 'not-now');
  },
  async 'reply in a conversation'() {
    const path = `/conversations/${conversation}/replies`;
    assert.equal((await owner.refused('POST', path, { text: 'hello' }))[0], 'not-now');
  },
  async 'alert test'() {
    await owner.post(`/alert-rules/${rule}/test`);
    await waitFor('both are tried and not sent', async () => {
      const rows = await sql<{ problem: string | null; state: string }[]>`
        SELECT problem, state FROM alert_notifications WHERE account_id = ${demo.id} AND phase = 'test'`;
      assert.ok(rows.every(({ state }) => state !== 'sent'));
      return rows.length === 2 && rows.every(({ problem }) => problem !== null);
    });
    assert.equal((await service.phone(stranger)).length, 0);
  },
  async 'password link'() {
    const username = newAddress();
    const person = { username, name: 'Dana', role: 'viewer' };
    const { link } = await owner.post<{ link: { mailed_to: string | null } }>('/people', person);
    assert.equal(link.mailed_to, null);
    assert.deepEqual(await mail.mailbox(username), []);
  },
  async 'chat message'() {
    const body = { source: SOURCE, to: newClient(), template_id: templateId('plain') };
    assert.equal(await refusedAs('/chat/messages', body), 'suspended');
  },
  async 'chat campaign'() {
    const body = { source: SOURCE, phones: [newClient()], template_id: templateId('plain') };
    assert.equal(await refusedAs('/chat/campaigns', body), 'suspended');
  },
  async 'mail campaign'() {
    assert.equal(await refusedAs('/mail/campaigns', { ...content, lists: [list] }), 'not-allowed');
  },
  async 'mail test'() {
    const body = { ...content, to: [newAddress()] };
    assert.equal(await refusedAs('/mail/campaigns/test', body), 'not-allowed');
  },
  async 'mail confirmation'() {
    const address = newAddress();
    await mail.list([{ email: address }], { confirm: true });
    await waitFor('it is tried later', async () => {
      const [row] = await sql<{ due_at: number }[]>`
        SELECT due_at FROM work WHERE kind = 'mail-confirmation' AND account_id = ${demo.id}`;
      return row && row.due_at > service.appContext.clock.now();
    });
    assert.deepEqual(await mail.mailbox(address), []);
  },
  async 'next step of a campaign'() {
    const rows = await sql<{ next_at: number }[]>`
      SELECT next_at FROM campaigns WHERE account_id = ${demo.id} AND next_at IS NOT NULL`;
    assert.ok(rows.length > 0 && rows.every(({ next_at }) => next_at > service.appContext.clock.now()));
  },
  async file() {
    const headers = { 'content-type': 'application/octet-stream' };
    assert.equal(
      (await owner.fetch('POST', '/media?kind=document&file_name=a.pdf', '%PDF-1.4', headers)).status,
      409,
    );
  },
  async picture() {
    const headers = { 'content-type': 'application/octet-stream' };
    assert.equal((await owner.fetch('POST', '/pictures?name=a.gif', 'GIF89a', headers)).status, 409);
  },
  async speech() {
    assert.equal(await refusedAs('/speech/preview', { text: 'hello' }), 'not-now');
  },
};
/** The files that write messages, with the statement that stores what is put back for a retry. */
const writers = [
  'engine/campaigns/rows.ts',
  'engine/dispatch/batch-ends.ts',
  'engine/messages/insert-shipments.ts',
  'engine/messages/store-messages.ts',
];

describe('a suspended account', () => {
  before(async () => {
    list = await mail.list([{ email: newAddress() }]);
    await mail.send([list], scheduled);
    const sender = '972552009999';
    await service.appContext.sources.approve(demo.id, sender, { incoming: true });
    const begun = { channel: 'sms', sender, client: newPhone() };
    conversation = (await owner.post<{ id: string }>('/conversations', begun)).id;
    const recipients = { mails: [newAddress()], phones: [stranger] };
    const made = { name: 'low', kind: 'low-balance', thresholds: { below: '1' }, recipients };
    rule = (await owner.post<{ id: string }>('/alert-rules', made)).id;
    await sql`UPDATE alert_contacts SET confirmed_at = ${service.appContext.clock.now()}, due_at = NULL`;
    const body = { ...sms, phones: ['0501990001'], fallback: { channel: 'voice' } };
    replaced = (await calls.post<{ shipment_id: string }>('/sms', body, 202)).shipment_id;
    await waitFor('the SMS has failed', async () => {
      const rows = await sql`
        SELECT FROM messages WHERE account_id = ${demo.id} AND shipment_id = ${replaced} AND final_at IS NOT NULL`;
      return rows.length > 0;
    });
    await operator.post(`/operator/accounts/${demo.id}/suspend`);
  });

  test('every caller of the gate and the acceptor has an attempt', () => {
    assert.deepEqual([...new Set(callers)].sort(), Object.keys(covered).sort());
    assert.deepEqual(new Set(Object.values(covered)), new Set(Object.keys(attempts)));
  });

  test('messages, batches and campaigns are written by functions that take a pass', () => {
    const found = sources.filter(({ text }) =>
      /INSERT INTO (?:messages|shipments|dispatch_batches|campaigns)\s*\(/.test(text),
    );
    assert.deepEqual(found.map(({ path }) => path).sort(), writers);
  });

  for (const [name, attempt] of Object.entries(attempts)) {
    test(`${name}: nothing passes the gate`, attempt);
  }
});
