import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../../channels/mail/campaign-support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { hoursFrom } from './support.ts';

/* The same mechanism for chat and mail: the demo account of a sandbox, whose policy each test sets anew. */

const chat = await startChat();
const { clock } = chat.appContext;
const calls = withToken(chat.url, DEMO_TOKEN);
const owner = await asPerson(chat, 'owner', chat.demo.id);
const mail = mailAt(v1At(chat.url));
const ZONE = 'Asia/Jerusalem';

const usual = {
  hours: null,
  applies_to: 'all',
  outside_hours: 'wait',
  caps: [],
  over_cap: 'refuse',
  consent: 'not_required',
};
const setPolicy = (over: object) => owner.call('PATCH', '/sending-policy', { ...usual, ...over });
const later = () => hoursFrom(clock, 3, { zone: ZONE });
const advanceTo = (time: number) => chat.advance(Math.ceil((time - clock.now()) / 1_000) + 5);

const template = (to: string) => ({ source: SOURCE, to, template_id: templateId('plain') });

interface Shown {
  readonly state: string;
  readonly status: number;
  readonly carrier_status: string | null;
  readonly waiting: { readonly because: string | null; readonly due_at: string } | null;
}

test('a template waits for the hours, and is refused where nothing waits', async () => {
  const { week, begins } = later();
  await setPolicy({ hours: week });
  const client = newClient();
  const { id } = await calls.post<{ id: string }>('/chat/messages', template(client), 202);
  const { waiting } = await calls.get<Shown>(`/messages/${id}`);
  assert.deepEqual([waiting!.because, Date.parse(waiting!.due_at)], ['sending-hours', begins]);
  await setPolicy({ hours: week, outside_hours: 'refuse' });
  assert.deepEqual(await calls.refused('POST', '/chat/messages', template(newClient())), [
    'not-now',
    undefined,
    409,
  ]);
  const answer = await chat.post('send-template-message', {
    source: SOURCE,
    destination: newClient(),
    templateId: templateId('plain'),
  });
  assert.deepEqual([answer.success, answer.ans.reason], [false, 3]);
  await advanceTo(begins);
  await chat.arrived(client);
});

test('an answer to a client goes at any hour', async () => {
  await setPolicy({ hours: later().week, outside_hours: 'refuse', caps: [{ messages: 1, hours: 24 }] });
  const client = await chat.writingClient();
  for (const body of ['first', 'second']) {
    await calls.post('/chat/buttons', { source: SOURCE, to: client, body, replies: [{ text: 'Yes' }] }, 202);
  }
  await waitFor('both arrive', async () => (await chat.arrived(client)).length === 2);
});

test('a chat campaign waits, and its windows are those of the time at which it continues', async () => {
  const { week, begins } = later();
  await setPolicy({ hours: week, applies_to: 'campaigns' });
  const client = newClient();
  const body = { source: SOURCE, template_id: templateId('plain'), phones: [client] };
  const { id } = await calls.post<{ id: string }>('/chat/campaigns', body, 202);
  const { waits_until } = await waitFor('it waits', async () => {
    const shown = await calls.get<{ waits_until: string | null }>(`/campaigns/${id}`);
    return shown.waits_until !== null && shown;
  });
  assert.equal(Date.parse(waits_until!), begins);
  await setPolicy({ hours: week, applies_to: 'campaigns', outside_hours: 'refuse' });
  assert.deepEqual(await calls.refused('POST', '/chat/campaigns', body), ['not-now', undefined, 409]);
  await setPolicy({ hours: week, applies_to: 'campaigns' });
  await advanceTo(begins);
  await chat.arrived(client);
});

test('a mail campaign waits for its own hours', async () => {
  await setPolicy({});
  const { text, begins } = later();
  const address = newAddress();
  const id = await mail.send([await mail.list([{ email: address }])], { sending_hours: text });
  await waitFor('it waits', async () => {
    const { waits_until } = await calls.get<{ waits_until: string | null }>(`/campaigns/${id}`);
    return waits_until !== null && Date.parse(waits_until) === begins;
  });
  assert.deepEqual(await mail.mailbox(address), []);
  await advanceTo(begins);
  await mail.finished(id);
  assert.equal((await mail.mailbox(address)).length, 1);
});

test('a cap of one channel counts mails to an address, in campaigns that follow each other', async () => {
  await setPolicy({ applies_to: 'campaigns', caps: [{ messages: 1, hours: 24, channel: 'mail' }] });
  const address = newAddress();
  const list = await mail.list([{ email: address }]);
  await mail.finished(await mail.send([list]));
  const before = await chat.balance();
  const { progress } = await mail.finished(await mail.send([list]));
  assert.deepEqual([progress.sent, progress.failed], [0, { FREQUENCY_CAP: 1 }]);
  assert.equal((await mail.mailbox(address)).length, 1);
  await waitFor('it is refunded', async () => (await chat.balance()) === before);
  // Tests of mails are no campaign, and go.
  await calls.post(
    '/mail/campaigns/test',
    {
      from: { name: 'The shop', address: 'news@shop.example' },
      subject: 'Hello',
      text: 'Hello',
      to: [address],
    },
    202,
  );
  await waitFor('it arrives', async () => (await mail.mailbox(address)).length === 2);
});

const agree = (subject: string, channel: string) =>
  calls.post('/consents', {
    consents: [{ subject, channel, action: 'given', source: 'form', form: 'news' }],
  });

test('a template and a chat campaign go to clients who have agreed, and an answer to anybody', async () => {
  await setPolicy({ consent: 'marketing' });
  const [agreed, other] = [newClient(), newClient()];
  await agree(agreed, 'chat');
  assert.deepEqual(await calls.refused('POST', '/chat/messages', template(other)), [
    'not-now',
    undefined,
    409,
  ]);
  const refused = { source: SOURCE, destination: other, templateId: templateId('plain') };
  const answer = await chat.post('send-template-message', refused);
  assert.deepEqual([answer.success, answer.ans.reason], [false, 3]);
  await calls.post('/chat/messages', template(agreed), 202);
  await chat.arrived(agreed);
  const writing = await chat.writingClient();
  const buttons = { source: SOURCE, to: writing, body: 'Hello', replies: [{ text: 'Yes' }] };
  await calls.post('/chat/buttons', buttons, 202);
  await chat.arrived(writing);

  const third = newClient();
  await agree(third, 'any');
  const body = { source: SOURCE, template_id: templateId('plain'), phones: [third, other] };
  const estimate = await calls.post<{ without_consent: number }>('/chat/campaigns/estimate', body);
  assert.equal(estimate.without_consent, 1);
  const { id } = await calls.post<{ id: string }>('/chat/campaigns', body, 202);
  await chat.arrived(third);
  const failed = await waitFor('one is left out', async () => {
    const { messages } = await calls.get<{ messages: Shown[] }>(`/messages?shipment_id=${id}`);
    return messages.find(({ state }) => state === 'failed');
  });
  assert.equal(failed.status, 16);
});

test('a mail campaign goes to users who have agreed, in whatever spelling', async () => {
  await setPolicy({ consent: 'marketing', applies_to: 'campaigns' });
  const [agreed, other] = [newAddress('Reader'), newAddress()];
  await agree(agreed.toUpperCase(), 'mail');
  const list = await mail.list([{ email: agreed }, { email: other }]);
  const { progress } = await mail.finished(await mail.send([list]));
  assert.deepEqual([progress.sent, progress.failed], [1, { NO_CONSENT: 1 }]);
  assert.deepEqual([(await mail.mailbox(agreed)).length, (await mail.mailbox(other)).length], [1, 0]);
});
