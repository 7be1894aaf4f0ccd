import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Carillon, CarillonError } from '../../client/src/index.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const MAIL_TOKEN = 'the-mail-token-of-the-demo-account';
const service = await startTestService({ settings: { CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN } });
const { url } = service;
const client = new Carillon({ url: `${url}/`, token: DEMO_TOKEN });
const mailClient = new Carillon({ url, token: DEMO_TOKEN, mailToken: MAIL_TOKEN });

/** The error of a request that has to be refused. */
async function refusal(request: PromiseLike<unknown>): Promise<CarillonError> {
  const error = await Promise.resolve(request).then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CarillonError, String(error));
  return error;
}

describe('methods of resources', () => {
  test('an SMS is sent, found by its shipment and seen on the phone', async () => {
    const { shipment_id } = await client.sms.send({
      source: 'Shop',
      phones: ['0501234567'],
      message: 'Hello from the client',
    });
    const { messages } = await client.messages.list({ shipment_id });
    assert.equal(messages.length, 1);
    const message = await client.messages.get(messages[0]!.id);
    assert.equal(message.shipment_id, shipment_id);
    await waitFor('the message to arrive', async () =>
      (await service.phone('0501234567')).some(({ text }) => text.startsWith('Hello from the client')),
    );
  });

  test('a code is sent and checked', async () => {
    assert.deepEqual(await client.codes.send({ phone: '0501234568', source: 'Shop' }), { done: true });
    const text = await waitFor(
      'the code to arrive',
      async () => (await service.phone('0501234568'))[0]?.text,
    );
    const code = /\d{6}/.exec(text)![0];
    const checked = await client.codes.check({ phone: '0501234568', code });
    assert.equal(checked.verified, true);
  });

  test('a list is created, filled, read and deleted', async () => {
    const { id } = await client.contactLists.create({ name: 'Customers of the client' });
    await client.contactLists.addContacts(id, { contacts: [{ phone: '0501111111' }] });
    const list = await client.contactLists.get(id);
    assert.equal(list.name, 'Customers of the client');
    await client.contactLists.delete(id);
    const error = await refusal(client.contactLists.get(id));
    assert.equal(error.httpStatus, 404);
  });

  test('what acts for a subscriber names it', async () => {
    const child = await service.addAccount({ username: 'branch', parentId: service.demo.id });
    const { shipment_id } = await client.sms.send(
      { source: 'Shop', phones: ['0501234567'], message: 'From the branch' },
      { username: child.username },
    );
    const ofChild = await client.messages.list({ username: child.username, shipment_id });
    assert.equal(ofChild.messages.length, 1);
    assert.equal((await client.messages.list({ shipment_id })).messages.length, 0);
  });
});

describe('pages', () => {
  const names = Array.from({ length: 7 }, (_, i) => `0522220${String(i).padStart(3, '0')}`);

  test('all rows of all pages come, in the order of the service, and what is left is not requested', async () => {
    await client.blacklist.add({ phones: names });
    let requests = 0;
    const counting = new Carillon({
      url,
      token: DEMO_TOKEN,
      fetch: (input, init) => {
        requests++;
        return fetch(input, init);
      },
    });
    const phones: string[] = [];
    for await (const { phone } of counting.blacklist.list({ limit: 3 })) phones.push(phone);
    assert.equal(requests, 3);
    const whole = await client.blacklist.list();
    assert.deepEqual(
      phones,
      whole.numbers.map(({ phone }) => phone),
    );
    assert.equal(phones.length, 7);

    requests = 0;
    for await (const { phone } of counting.list('GET /v1/blacklist', { query: { limit: 2 } })) {
      if (phone === phones[2]) break;
    }
    assert.equal(requests, 2);
    const sizes: number[] = [];
    for await (const page of counting.blacklist.list({ limit: 4 }).pages()) sizes.push(page.numbers.length);
    assert.deepEqual(sizes, [4, 3]);
  });
});

describe('every API', () => {
  const user = { username: 'demo' };

  test('POST /api by its roots, and its dry run', async () => {
    const before = await service.balance();
    const content = {
      user,
      source: 'Shop',
      destinations: { phone: ['0501234567'] },
      message: 'By the SMS family',
    };
    const dry = await client.api('sms', content, { dryRun: true });
    assert.equal(dry.status, 0);
    assert.equal(await service.balance(), before);
    const sent = await client.api('sms', content);
    assert.ok(sent.shipment_id);
    assert.ok((await service.balance()) < before);
    // Its statuses of what was done are no errors.
    assert.equal((await client.api('addNumBL', { user, phones: { phone: ['0529999999'] } })).status, 946);
    const error = await refusal(client.api('sms', { ...content, destinations: { phone: ['12'] } }));
    assert.equal(error.code, '9');
    assert.match(error.message, /phone/);
  });

  test('the chat API', async () => {
    const body = { source: '972550000001', destination: '972501234567', templateId: '1_972550000001_two' };
    const sent = await client.request('POST /chat-api/send-template-message', {
      body: { ...body, dynamicFieldsObject: { 1: 'Dana', 2: '1234' } },
    });
    assert.equal(sent.success, true);
    const error = await refusal(
      client.request('POST /chat-api/send-template-message', { body: { ...body, source: '972559999999' } }),
    );
    assert.equal(error.code, '2');
    const path = { phone: '972550000001' };
    const { templates } = await client.request('GET /chat-api/get-phone-templates/{phone}', { path });
    assert.ok(templates.length > 0);
  });

  test('the mailing-list API with its own token', async () => {
    const body = { IsNewList: true, NewListName: 'News of the client' } as const;
    const made = await mailClient.request('POST /api/Mailer/CreateMalingList', { body });
    assert.equal(made.data.mailingLists.length, 1);
    assert.ok(JSON.stringify(await client.mailingLists.list()).includes('News of the client'));
    const error = await refusal(client.request('POST /api/Mailer/CreateMalingList', { body }));
    assert.equal(error.code, '401');
  });

  test('files come as responses, and are sent as texts', async () => {
    const { id } = await client.contactLists.create({ name: 'A file' });
    await client.request('POST /v1/contact-lists/{id}/preview', {
      path: { id },
      body: 'phone,df1\n0501234567,Dana\n',
    });
    const file = await client.request('GET /v1/messages.csv');
    assert.match(file.headers.get('content-type')!, /^text\/csv/);
    assert.match(await file.text(), /phone/);
  });
});

describe('errors', () => {
  test('name the field, the reason and its parameters, and the request', async () => {
    const error = await refusal(client.codes.send({ phone: '0501234567', source: 'Shop', minutes: 60 }));
    assert.equal(error.code, 'bad-field');
    assert.equal(error.field, 'minutes');
    assert.equal(error.reason, 'too-large');
    assert.deepEqual(error.params, { max: 15 });
    assert.equal(error.httpStatus, 400);
    assert.equal(error.operation, 'POST /v1/otp');
    const logged = await waitFor('the request in the log', async () => {
      const { requests } = await client.requests.list({ request_id: error.requestId! });
      return requests[0];
    });
    assert.equal(logged.status, 'bad-field');
  });

  test('a token that is not known, and what a client needs', async () => {
    const stranger = new Carillon({ url, token: 'no token of anybody' });
    const error = await refusal(stranger.account.get());
    assert.deepEqual([error.code, error.httpStatus], ['signed-out', 401]);
    assert.throws(() => new Carillon({ url, token: '' }), TypeError);
    assert.throws(() => new Carillon({ url: 'ftp://example.com', token: 'x' }), TypeError);
    assert.throws(() => new Carillon({ url: 'example.com', token: 'x' }), TypeError);
    await assert.rejects(async () => await client.messages.get(''), TypeError);
  });
});
