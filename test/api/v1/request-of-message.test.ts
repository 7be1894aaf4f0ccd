import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../../channels/mail/campaign-support.ts';
import { interfaceSettings, sendByInterface, type Way, ways } from '../../security/gate-interfaces.ts';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson, withToken } from './calls.ts';

/* Each way to send with a token: the message names its request, and the log of requests has what it made. */

const service = await startChat(interfaceSettings);
const { url, sql, demo, appContext } = service;
const calls = withToken(url, DEMO_TOKEN);
const mail = mailAt(v1At(url));
await appContext.sources.approve(demo.id, 'Shop');

interface Logged {
  readonly id: string;
  readonly request_id: string;
  readonly api: string;
  readonly operation: string;
}
interface Message {
  readonly shipment_id: string;
  readonly request: Logged | null;
}

const text = { source: 'Shop', message: 'Hello' };
const content = { from: { address: 'news@shop.example' }, subject: 'Hi', text: 'Hi' };
const classic = (phone: string) => ({ ...text, destinations: { phone } });
const listOf = async (phone: string) => {
  const { id } = await calls.post<{ id: string }>('/contact-lists', { name: `list of ${phone}` });
  await calls.post(`/contact-lists/${id}/contacts`, { contacts: [{ phone }] });
  return id;
};
const overInterface = (way: Way) => async (to: string) => {
  const { status, text: answer } = await sendByInterface(service, way, { to, from: 'Shop' });
  assert.ok(status < 300, answer);
};

/** Ways to send to a recipient, by the API and the operation that the log has. */
const sends: Readonly<Record<string, (to: string) => Promise<unknown>>> = {
  'sms sms': (to) => service.call('json', 'sms', classic(to)),
  'v1 sendText': (to) => calls.post('/sms', { ...text, phones: [to] }, 202),
  'v1 sendText, to a list': async (to) => calls.post('/sms', { ...text, lists: [await listOf(to)] }, 202),
  'v1 sendText, a call': (to) => calls.post('/sms', { ...text, phones: [to], tts: { type: 4 } }, 202),
  'v1 sendCode': (to) => calls.post('/otp', { phone: to, source: 'Shop' }, 202),
  'v1 sendChatTemplate': (to) =>
    calls.post('/chat/messages', { source: SOURCE, to, template_id: templateId('plain') }, 202),
  'v1 startChatCampaign': (to) =>
    calls.post('/chat/campaigns', { source: SOURCE, phones: [to], template_id: templateId('plain') }, 202),
  'chat send-template-message': (to) =>
    service.accepted('send-template-message', {
      source: SOURCE,
      destination: to,
      templateId: templateId('plain'),
    }),
  'v1 createMailCampaign': async (to) => mail.send([await mail.list([{ email: to }])]),
  'v1 testMailCampaign': (to) => calls.post('/mail/campaigns/test', { ...content, to: [to] }, 202),
  ...Object.fromEntries(ways.map((way) => [way, overInterface(way)])),
};

const recipientFor = (name: string) => {
  if (name.includes('Mail')) return newAddress();
  return /chat/i.test(name) ? newClient() : newPhone();
};

/** The message to a recipient, once it is there. */
async function messageTo(to: string): Promise<string> {
  const recipient = to.startsWith('0') ? `972${to.slice(1)}` : to;
  const { id } = await waitFor('its message', async () => {
    const [row] = await sql<{ id: number }[]>`
      SELECT id FROM messages WHERE account_id = ${demo.id} AND recipient = ${recipient}`;
    return row;
  });
  return String(id);
}

for (const [name, send] of Object.entries(sends)) {
  test(`${name}: its message names the request`, async () => {
    const to = recipientFor(name);
    await send(to);
    const id = await messageTo(to);
    const { shipment_id, request } = await waitFor('its request is in the log', async () => {
      const message = await calls.get<Message>(`/messages/${id}`);
      return message.request && message;
    });
    const [api, operation] = name.replace(/,.*/, '').split(' ');
    assert.equal(request!.api, api);
    if (operation !== undefined) assert.equal(request!.operation, operation);
    const { requests } = await calls.get<{ requests: (Logged & { shipment_ids: string[] })[] }>(
      `/request-log?request_id=${request!.request_id}`,
    );
    assert.deepEqual(
      requests.map(({ id, shipment_ids }) => [id, shipment_ids]),
      [[request!.id, [shipment_id]]],
    );
  });
}

test('a message of a person has no request, and a refused request made none', async () => {
  const owner = await asPerson(service, 'owner', demo.id);
  const to = newPhone();
  await owner.post('/sms', { ...text, phones: [to] }, 202);
  // What follows a request in the log was written with it or later.
  await calls.refused('POST', '/sms', { ...text, phones: [newPhone()], source: '' });
  const [refused] = await waitFor('the refused request is in the log', async () => {
    const { requests } = await calls.get<{ requests: { shipment_ids: string[] }[] }>(
      '/request-log?operation=sendText&refused=true',
    );
    return requests.length > 0 && requests;
  });
  assert.deepEqual(refused!.shipment_ids, []);
  assert.equal((await calls.get<Message>(`/messages/${await messageTo(to)}`)).request, null);
});
