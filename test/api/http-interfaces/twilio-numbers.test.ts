import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sidOf } from '../../../server/api/http-interfaces/ids.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { sendRequest } from '../../support/send-request.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startApplication } from './twilio-incoming-support.ts';
import { failure, twilioClient } from './twilio-support.ts';

/* Twilio's IncomingPhoneNumbers resource, by Twilio's own library for Node.js with another address. */

const { service, client, sid, newNumber, resourceOf, receiver } = await startApplication();

test('numbers are listed page by page, by number and by name', covers('twilio.numbers'), async () => {
  const mine = [await newNumber(), await newNumber(), await newNumber()].sort();
  await resourceOf(mine[0]!).update({ friendlyName: 'Support line' });
  const list = async (filter: object) =>
    (await client.incomingPhoneNumbers.list(filter)).map(({ phoneNumber }) => phoneNumber);
  const phones = mine.map((number) => `+${number}`);
  assert.deepEqual(await list({ pageSize: 2, limit: 10 }), phones);
  assert.deepEqual(await list({ phoneNumber: phones[1], limit: 10 }), [phones[1]]);
  const part = `${mine[2]!.slice(3, 8)}*${mine[2]!.slice(9)}`;
  assert.deepEqual(await list({ phoneNumber: part, limit: 10 }), [phones[2]]);
  assert.deepEqual(await list({ friendlyName: 'Support line', limit: 10 }), [phones[0]]);
  assert.deepEqual(await list({ friendlyName: phones[1], limit: 10 }), [phones[1]]);
  assert.deepEqual(await list({ friendlyName: 'Nobody', limit: 10 }), []);
  assert.deepEqual(await failure(list({ phoneNumber: 'x%', limit: 10 })), { status: 400, code: 20001 });
});

test('a number is fetched and updated', covers('twilio.numbers'), async () => {
  const number = await newNumber();
  const fetched = await resourceOf(number).fetch();
  assert.deepEqual(
    [fetched.sid, fetched.accountSid, fetched.phoneNumber, fetched.friendlyName, fetched.smsUrl],
    [sidOf('PN', Number(number)), sid, `+${number}`, `+${number}`, ''],
  );
  assert.ok(Math.abs(fetched.dateCreated.getTime() - service.appContext.clock.now()) < 60_000);
  const settings = {
    friendlyName: 'Orders',
    smsUrl: `${receiver.url}/sms?a=1`,
    smsMethod: 'GET',
    smsFallbackUrl: `${receiver.url}/fallback`,
    smsFallbackMethod: 'GET',
  };
  const shown = ({
    friendlyName,
    smsUrl,
    smsMethod,
    smsFallbackUrl,
    smsFallbackMethod,
  }: typeof settings) => ({
    friendlyName,
    smsUrl,
    smsMethod,
    smsFallbackUrl,
    smsFallbackMethod,
  });
  assert.deepEqual(shown(await resourceOf(number).update(settings)), settings);
  assert.deepEqual(shown(await resourceOf(number).update({ voiceUrl: 'https://example.com/' })), settings);
  const cleared = await resourceOf(number).update({ smsUrl: '', smsFallbackUrl: '', friendlyName: '' });
  assert.deepEqual([cleared.smsUrl, cleared.smsFallbackUrl, cleared.friendlyName], ['', '', `+${number}`]);
});

test('numbers of other accounts do not exist', covers('twilio.numbers'), async () => {
  const other = await service.addAccount({ username: 'other' });
  const theirs = await newNumber(other.id);
  const missing = { status: 404, code: 20404 };
  for (const number of [theirs, stored(newPhone())]) {
    assert.deepEqual(await failure(resourceOf(number).fetch()), missing);
    assert.deepEqual(await failure(resourceOf(number).update({ smsUrl: receiver.url })), missing);
  }
  assert.deepEqual(await failure(client.incomingPhoneNumbers('PNx').fetch()), missing);
  const their = twilioClient(service.url, sidOf('AC', other.id), other.token);
  assert.deepEqual(
    (await their.incomingPhoneNumbers.list({ limit: 5 })).map(({ phoneNumber }) => phoneNumber),
    [`+${theirs}`],
  );
});

test('refusals have the codes of Twilio', covers('twilio.numbers.errors'), async () => {
  const one = resourceOf(await newNumber());
  const { token: reader } = await service.appContext.tokens.mint(service.demo.id, { scopes: ['read'] });
  const read = twilioClient(service.url, sid, reader).incomingPhoneNumbers(sidOf('PN', 1));
  const cases: [() => Promise<unknown>, number, number][] = [
    [() => client.incomingPhoneNumbers.create({ phoneNumber: '+972501234567' }), 400, 21422],
    [() => one.remove(), 405, 20004],
    [() => read.update({ smsUrl: '' }), 403, 20403],
    [() => one.update({ smsUrl: 'ftp://example.com/' }), 400, 21402],
    [() => one.update({ smsUrl: 'http://user:key@example.com/' }), 400, 21402],
    [() => one.update({ smsMethod: 'PUT' }), 400, 21403],
    [() => one.update({ smsFallbackUrl: receiver.url }), 400, 21406],
    [() => one.update({ smsUrl: receiver.url, smsFallbackUrl: 'x' }), 400, 21402],
    [() => one.update({ smsApplicationSid: `AP${'0'.repeat(32)}` }), 400, 20001],
    [() => one.update({ friendlyName: 'a'.repeat(65) }), 400, 20001],
  ];
  for (const [work, status, code] of cases) assert.deepEqual(await failure(work()), { status, code });
});

test('a change is in the audit log, without paths of addresses', async () => {
  const number = await newNumber();
  await resourceOf(number).update({ smsUrl: `${receiver.url}/key-of-program` });
  const rows = await service.sql<{ text: string }[]>`
    SELECT row_to_json(a)::text AS text FROM audit_log a WHERE a.object_kind = 'incoming-number'`;
  const entry = rows.find(({ text }) => text.includes(number));
  assert.ok(entry!.text.includes(new URL(receiver.url).host));
  assert.ok(!entry!.text.includes('key-of-program'));
});

test('the token of a number is stored sealed, and its addresses end with it', async () => {
  const { tokens } = service.appContext;
  const minted = await tokens.mint(service.demo.id, { scopes: ['read', 'send'] });
  const number = await newNumber();
  const mine = twilioClient(service.url, sid, minted.token).incomingPhoneNumbers(sidOf('PN', Number(number)));
  await mine.update({ smsUrl: `${receiver.url}/sms` });
  const [row] = await service.sql<{ secret: Buffer }[]>`
    SELECT secret FROM twilio_numbers WHERE number = ${number}`;
  assert.ok(row && !row.secret.includes(minted.token));
  await tokens.revoke(minted.id, service.demo.id);
  await waitFor('the number has no address', async () => (await resourceOf(number).fetch()).smsUrl === '');
});

test('hostile requests are answered, and never with a fault', async () => {
  const number = sidOf('PN', Number(await newNumber()));
  const root = `${service.url}/2010-04-01/Accounts/${sid}/IncomingPhoneNumbers`;
  const headers = { authorization: `Basic ${Buffer.from(`${sid}:${DEMO_TOKEN}`).toString('base64')}` };
  for (const [path, method, body] of [
    ['.json?PhoneNumber=%00&PageSize=x&Page=-1&PageToken=%00', 'GET', null],
    ['.json?FriendlyName=%00%ff&PageToken=9999999999999999', 'GET', null],
    ['/%00.json', 'GET', null],
    [`/PN${'f'.repeat(32)}.json`, 'GET', null],
    [`/${number}.json`, 'POST', 'SmsUrl=%00&SmsMethod=%00&FriendlyName=%00'],
    [`/${number}.json`, 'POST', '\0'],
  ] as const) {
    const { status } = await sendRequest(`${root}${path}`, { method, headers, body });
    assert.ok(status < 500, `${method} ${path}: ${status}`);
  }
});
