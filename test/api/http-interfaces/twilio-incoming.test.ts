import assert from 'node:assert/strict';
import { test } from 'node:test';
import twilio from 'twilio';
import { sidOf } from '../../../server/api/http-interfaces/ids.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { withToken } from '../v1/calls.ts';
import { type Reply, startApplication, xml } from './twilio-incoming-support.ts';
import { twilioClient } from './twilio-support.ts';

/* Incoming messages to an application behind Twilio's IncomingPhoneNumbers resource, and its answers in TwiML. */

const application = await startApplication();
const { service, sid, newNumber, resourceOf, on, requests, requestsTo, texts, delivery } = application;
const { MessagingResponse } = twilio.twiml;

/** Returns TwiML that the library of Twilio writes. */
function twiml(write: (response: InstanceType<typeof MessagingResponse>) => void) {
  const response = new MessagingResponse();
  write(response);
  return xml(response.toString());
}
const formOf = ({ body }: { readonly body: string }) => Object.fromEntries(new URLSearchParams(body));

/** Sends an SMS to a new number with these addresses, and returns both numbers. */
async function receive(settings: object, text = 'Hello'): Promise<{ phone: string; number: string }> {
  const number = await newNumber();
  await resourceOf(number).update(settings);
  const phone = newPhone();
  await service.sendFromPhone(phone, number, text);
  return { phone, number };
}

test('the application gets a signed form, and its message is sent', covers('twilio.incoming'), async () => {
  const smsUrl = on('/hello', () => twiml((response) => response.message('Hi & bye')));
  const { phone, number } = await receive({ smsUrl: `${smsUrl}?order=17` }, 'שלום & a=b');
  assert.deepEqual(await texts(phone), ['Hi & bye']);
  const [request] = await requests('/hello');
  const form = formOf(request!);
  assert.match(form.MessageSid!, /^SM[0-9a-f]{32}$/);
  assert.deepEqual(form, {
    AccountSid: sid,
    ApiVersion: '2010-04-01',
    Body: 'שלום & a=b',
    From: `+${stored(phone)}`,
    MessageSid: form.MessageSid,
    NumMedia: '0',
    NumSegments: '1',
    SmsMessageSid: form.MessageSid,
    SmsSid: form.MessageSid,
    SmsStatus: 'received',
    To: `+${number}`,
  });
  assert.equal(request!.method, 'POST');
  const signature = String(request!.headers['x-twilio-signature']);
  assert.ok(twilio.validateRequest(DEMO_TOKEN, signature, `${smsUrl}?order=17`, form));
  assert.ok(!twilio.validateRequest('other', signature, `${smsUrl}?order=17`, form));
  const [reply] = await service.phone(phone);
  assert.equal(stored(reply!.from), number);
});

test('the event sms.incoming has the id of the MessageSid', async () => {
  const hook = on('/hook', () => [200, '']);
  const smsUrl = on('/with-hook', () => xml('<Response/>'));
  const calls = withToken(service.url, DEMO_TOKEN);
  await calls.post('/webhooks', { url: hook, types: ['sms.incoming'] });
  await receive({ smsUrl });
  const [request] = await requests('/with-hook');
  const [event] = await requests('/hook');
  const { data } = JSON.parse(event!.body) as { data: { message_id: string } };
  assert.equal(sidOf('SM', Number(data.message_id)), formOf(request!).MessageSid);
});

test(
  'a GET has the fields in its query, signed as a part of the address',
  covers('twilio.incoming'),
  async () => {
    for (const query of ['', '?a=b']) {
      const smsUrl = on('/get', () => twiml((response) => response.message('Got it')));
      const { phone } = await receive({ smsUrl: smsUrl + query, smsMethod: 'GET' }, 'a b+c');
      assert.deepEqual(await texts(phone), ['Got it']);
      const request = requestsTo('/get').at(-1)!;
      assert.deepEqual([request.method, request.body, request.query.get('Body')], ['GET', '', 'a b+c']);
      const signature = String(request.headers['x-twilio-signature']);
      const address = `${application.receiver.url}${request.path}`;
      assert.ok(twilio.validateRequest(DEMO_TOKEN, signature, address, {}));
    }
  },
);

test('messages have their recipients, senders and reports', covers('twilio.twiml'), async () => {
  await service.appContext.sources.approve(service.demo.id, 'Shop');
  const other = newPhone();
  on('/report', () => [204, '']);
  const smsUrl = on('/several', () =>
    twiml((response) => {
      response.message({ to: `+${stored(other)}`, from: 'Shop', statusCallback: '/report' }, 'To another');
      response.message({ method: 'POST' }, '').body('From a Body');
    }),
  );
  const { phone } = await receive({ smsUrl });
  assert.deepEqual(await texts(other), ['To another']);
  assert.deepEqual(await texts(phone), ['From a Body']);
  assert.equal((await service.phone(other))[0]!.from, 'Shop');
  const reports = await requests('/report', 2);
  assert.deepEqual(
    reports.map((one) => formOf(one).MessageStatus),
    ['sent', 'delivered'],
  );
  const signature = String(reports[0]!.headers['x-twilio-signature']);
  const address = `${application.receiver.url}/report`;
  assert.ok(twilio.validateRequest(DEMO_TOKEN, signature, address, formOf(reports[0]!)));
});

test('a plain text is a reply, and an empty Response sends nothing', covers('twilio.twiml'), async () => {
  const plain = on('/plain', () => [200, ' Just text ', 'text/plain; charset=utf-8']);
  assert.deepEqual(await texts((await receive({ smsUrl: plain })).phone), ['Just text']);
  const silent: string[] = [];
  for (const answer of [xml('<Response/>'), [204, ''] as const, xml('<Response><Play>x</Play></Response>')]) {
    const path = `/silent-${silent.length}`;
    silent.push((await receive({ smsUrl: on(path, () => answer) })).phone);
    await requests(path);
  }
  // A later reply shows that the earlier answers have been read.
  await texts((await receive({ smsUrl: plain })).phone);
  for (const phone of silent) assert.deepEqual(await service.phone(phone), []);
});

test(
  'Redirect and action lead to further documents, relative to theirs',
  covers('twilio.twiml'),
  async () => {
    const smsUrl = on('/steps/first', () =>
      twiml((response) => {
        response.message('One');
        response.redirect({ method: 'GET' }, 'second?x=1');
        response.message('Never');
      }),
    );
    on('/steps/second', () => twiml((response) => response.message({ action: '/steps/third' }, 'Two')));
    on('/steps/third', () => twiml((response) => response.message('Three')));
    const { phone } = await receive({ smsUrl });
    assert.deepEqual((await texts(phone, 3)).toSorted(), ['One', 'Three', 'Two']);
    const [first] = await requests('/steps/first');
    const [second] = await requests('/steps/second');
    assert.deepEqual([second!.method, second!.query.get('x')], ['GET', '1']);
    assert.equal(second!.query.get('MessageSid'), formOf(first!).MessageSid);
    const [third] = await requests('/steps/third');
    const form = formOf(third!);
    assert.deepEqual([form.MessageStatus, form.SmsMessageSid], ['queued', formOf(first!).MessageSid]);
    assert.notEqual(form.MessageSid, form.SmsMessageSid);
  },
);

test('a loop of redirects and too many messages end', covers('twilio.twiml'), async () => {
  const loop = on('/loop', () => twiml((response) => response.redirect('/loop')));
  await receive({ smsUrl: loop });
  const ended = await delivery('/loop', 'failed');
  assert.match(ended.answer.error!, /^11215/);
  assert.equal(requestsTo('/loop').length, 11);
  const many = on('/many', () =>
    twiml((response) => {
      for (let i = 0; i < 12; i++) response.message(`Number ${i}`);
    }),
  );
  const { phone } = await receive({ smsUrl: many });
  assert.match((await delivery('/many', 'failed')).answer.error!, /^14109/);
  assert.equal((await texts(phone, 10)).length, 10);
});

test('a repeated request sends nothing twice, also with another answer', covers('twilio.once'), async () => {
  const smsUrl = on('/again', (_, count) => twiml((response) => response.message(`Answer ${count}`)));
  const { phone, number } = await receive({ smsUrl });
  assert.deepEqual(await texts(phone), ['Answer 1']);
  // As after a process ended between the send and the end of its delivery.
  const [batch] = await service.sql<{ id: number }[]>`
    SELECT id FROM event_batches
    WHERE account_id = ${service.demo.id} AND events LIKE ${`%"number":"${number}"%`}`;
  const hasEnded = () =>
    waitFor('the delivery has ended', async () => {
      const [row] = await service.sql`SELECT FROM event_queue WHERE batch_id = ${batch!.id}`;
      return row === undefined;
    });
  await hasEnded();
  await service.sql`
    INSERT INTO event_queue (account_id, batch_id, count) VALUES (${service.demo.id}, ${batch!.id}, 1)`;
  await requests('/again', 2);
  await hasEnded();
  assert.deepEqual(await texts(phone), ['Answer 1']);
});

test('a request that fails is repeated, and its reply is sent once', covers('twilio.once'), async () => {
  const smsUrl = on('/late', (_, count) =>
    count === 1 ? [500, 'not yet'] : twiml((response) => response.message('At last')),
  );
  const { phone } = await receive({ smsUrl });
  await delivery('/late', 'retrying');
  await service.advance(10);
  assert.deepEqual(await texts(phone), ['At last']);
});

test('the fallback is called once, with the error', covers('twilio.fallback'), async () => {
  const broken: [string, () => Reply, string][] = [
    ['/broken-status', () => [500, ''], '11200'],
    ['/broken-xml', () => xml('<Response><Message>'), '12100'],
    ['/broken-root', () => xml('<Other/>'), '12100'],
    ['/broken-type', () => [200, '{}', 'application/json'], '12300'],
    ['/broken-size', () => xml(`<Response>${' '.repeat(70_000)}</Response>`), '11750'],
    [
      '/broken-doctype',
      () => xml('<!DOCTYPE a [<!ENTITY b "c">]><Response><Message>&b;</Message></Response>'),
      '12100',
    ],
  ];
  for (const [path, answer, code] of broken) {
    const smsUrl = on(path, answer);
    const fallback = `${path}-fallback`;
    const smsFallbackUrl = on(fallback, () => twiml((response) => response.message('Instead')));
    const { phone } = await receive({ smsUrl, smsFallbackUrl });
    assert.deepEqual(await texts(phone), ['Instead'], path);
    const [request] = await requests(fallback);
    const form = formOf(request!);
    assert.deepEqual([form.ErrorCode, form.ErrorUrl, form.Body], [code, smsUrl, 'Hello'], path);
    const signature = String(request!.headers['x-twilio-signature']);
    assert.ok(twilio.validateRequest(DEMO_TOKEN, signature, smsFallbackUrl, form));
    assert.equal((await delivery(path, 'failed')).attempts, 1);
    assert.equal(requestsTo(path).length, 1);
  }
});

test('the fallback is called immediately while the host is down', covers('twilio.fallback'), async () => {
  const smsFallbackUrl = on('/host-down', () => twiml((response) => response.message('Instead')));
  const number = await newNumber();
  await resourceOf(number).update({ smsUrl: 'http://127.0.0.1:1/down', smsFallbackUrl });
  // After five failures the host counts as down, and no more requests are sent to it but one every few seconds.
  for (let count = 1; count <= 7; count++) {
    const phone = newPhone();
    await service.sendFromPhone(phone, number, 'Hello');
    assert.deepEqual(await texts(phone), ['Instead']);
    assert.equal(formOf(requestsTo('/host-down').at(-1)!).ErrorCode, '11205');
  }
  assert.equal(requestsTo('/host-down').length, 7);
});

test('without a fallback, a wrong answer ends the delivery', covers('twilio.fallback'), async () => {
  const smsUrl = on('/wrong', () => xml('<Response><Message>&undefined;</Message></Response>'));
  const { phone } = await receive({ smsUrl });
  const ended = await delivery('/wrong', 'failed');
  assert.match(ended.answer.error!, /^12100/);
  assert.match(ended.answer.body!, /undefined/);
  assert.deepEqual(await service.phone(phone), []);
});

test('refused messages are in the delivery, and the others are sent', covers('twilio.refused'), async () => {
  const smsUrl = on('/refused', () =>
    twiml((response) => {
      response.message({ from: 'Stranger' }, 'From another sender');
      response.message({ to: '12' }, 'To no number');
      response.message({ method: 'POST' }, '').media('https://example.com/a.png');
      response.message('This one');
    }),
  );
  const { phone } = await receive({ smsUrl });
  assert.deepEqual(await texts(phone), ['This one']);
  const { error } = (await delivery('/refused', 'failed')).answer;
  assert.match(error!, /^21606: message 1: .*; 21211: message 2: .*; 20001: message 3: Media/);
});

test('a reply to a phone that asked for its removal is refused', covers('twilio.refused'), async () => {
  const smsUrl = on('/removed', () => twiml((response) => response.message('You are removed')));
  const { phone } = await receive({ smsUrl }, 'הסר');
  const { error } = (await delivery('/removed', 'failed')).answer;
  assert.match(error!, /^21610: message 1/);
  assert.deepEqual(await service.phone(phone), []);
});

test('a suspended account sends no reply', covers('twilio.refused'), async () => {
  const account = await service.addAccount({ username: 'pending' });
  const number = await newNumber(account.id);
  const client = twilioClient(service.url, sidOf('AC', account.id), account.token);
  const smsUrl = on('/suspended', () => twiml((response) => response.message('No')));
  await client.incomingPhoneNumbers(sidOf('PN', Number(number))).update({ smsUrl });
  await service.appContext.accounts.suspend(account.id, true);
  const phone = newPhone();
  await service.sendFromPhone(phone, number, 'Hello');
  await requests('/suspended');
  const failed = await waitFor('the failed delivery', async () => {
    const [row] = await service.sql<{ last_error: string }[]>`
      SELECT last_error FROM deliveries WHERE account_id = ${account.id} AND state = 'failed'`;
    return row;
  });
  assert.match(failed.last_error, /^20005/);
});

test('private addresses are not called', covers('twilio.ssrf'), async () => {
  const guarded = await startApplication({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'off' });
  const number = await guarded.newNumber();
  await assert.rejects(guarded.resourceOf(number).update({ smsUrl: guarded.receiver.url }), { code: 21402 });
  const { sql } = guarded.service;
  const { smsUrl } = await guarded.resourceOf(number).update({ smsUrl: 'https://example.com/sms' });
  assert.equal(smsUrl, 'https://example.com/sms');
  // An address that was permitted when it was set.
  await sql`UPDATE twilio_numbers SET sms_url = 'http://127.0.0.1:1/'`;
  const phone = newPhone();
  await guarded.service.sendFromPhone(phone, number, 'Hello');
  await waitFor('the message is stored', async () => {
    const rows = await sql`SELECT FROM incoming WHERE source = ${stored(phone)}`;
    return rows.length === 1;
  });
  assert.equal((await sql`SELECT FROM event_batches WHERE events LIKE '%127.0.0.1%'`).length, 0);
});
