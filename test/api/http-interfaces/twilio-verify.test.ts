import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sidOf } from '../../../server/api/http-interfaces/ids.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { sendRequest } from '../../support/send-request.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { failure, twilioClient } from './twilio-support.ts';

/* Twilio's Verify, by Twilio's own library for Node.js with another address. */

const service = await startTestService({
  settings: { TWILIO_API: 'on', VERIFY_SOURCES: 'on', OTP_PER_PHONE_HOUR: '3' },
});
const { sources, tokens } = service.appContext;
await sources.approve(service.demo.id, 'Shop');
const sid = sidOf('AC', service.demo.id);

/** Returns the sid of a service: an application and a sender. */
const serviceSid = (appId: number, source: string) =>
  `VA${appId.toString(16).padStart(8, '0')}${Buffer.from(source).toString('hex').padEnd(24, '0')}`;
const shop = serviceSid(1, 'Shop');

const verifyOf = (user: string, token: string, options?: { accountSid: string }) =>
  twilioClient(service.url, user, token, options).verify.v2;
const { services } = verifyOf(sid, DEMO_TOKEN);
const start = (to: string, more: object = {}) =>
  services(shop).verifications.create({ to, channel: 'sms', ...more });
const check = (to: string, code: string) => services(shop).verificationChecks.create({ to, code });

/** Returns the codes that a phone has, in their order. */
const codesAt = (phone: string, count: number) =>
  waitFor(`${count} codes`, async () => {
    const texts = (await service.phone(phone)).map(({ text }) => /\d{6}/.exec(text)![0]);
    return texts.length >= count && texts;
  });
const another = (code: string) => String(code === '999999' ? 100_000 : Number(code) + 1);

test('a code is sent, and checked once', covers('twilio.verify'), async () => {
  const phone = newPhone();
  const verification = await start(`+${stored(phone)}`);
  assert.match(verification.sid, /^VE[0-9a-f]{32}$/);
  assert.deepEqual(
    [verification.serviceSid, verification.accountSid, verification.to, verification.channel],
    [shop, sid, `+${stored(phone)}`, 'sms'],
  );
  assert.deepEqual([verification.status, verification.valid], ['pending', false]);
  const [code] = await codesAt(phone, 1);
  const wrong = await check(phone, another(code!));
  assert.deepEqual([wrong.status, wrong.valid], ['pending', false]);
  const right = await check(phone, code!);
  assert.deepEqual([right.status, right.valid, right.to], ['approved', true, `+${stored(phone)}`]);
  assert.equal((await check(phone, code!)).status, 'pending');
  const [sent] = await service.phone(phone);
  assert.equal(sent!.from, 'Shop');
});

test('a verification is checked by its sid, and by the service that sent it', async () => {
  const phone = newPhone();
  const { sid: verificationSid } = await start(phone);
  const [code] = await codesAt(phone, 1);
  const by = (service: string) =>
    services(service).verificationChecks.create({ verificationSid, code: code! });
  assert.deepEqual(await failure(by(serviceSid(2, 'Shop'))), { status: 404, code: 20404 });
  const other = await services(serviceSid(2, 'Shop')).verificationChecks.create({ to: phone, code: code! });
  assert.equal(other.status, 'pending');
  const checked = await by(shop);
  assert.deepEqual([checked.status, checked.sid], ['approved', verificationSid]);
});

test('five wrong codes end a verification', async () => {
  const phone = newPhone();
  await start(phone);
  const [code] = await codesAt(phone, 1);
  for (let i = 0; i < 5; i++) await check(phone, another(code!));
  assert.equal((await check(phone, code!)).status, 'pending');
});

test('an API key acts for its owner, and a parent for its subscriber', async () => {
  const seller = await service.addAccount({ username: 'seller' });
  const branch = await service.addAccount({ username: 'branch', parentId: seller.id });
  for (const { id } of [seller, branch]) await sources.approve(id, 'Shop');
  for (const [user, account] of [
    [`SK${'0'.repeat(32)}`, seller],
    [sidOf('AC', branch.id), branch],
  ] as const) {
    const { services } = verifyOf(user, seller.token, { accountSid: sidOf('AC', account.id) });
    const { accountSid } = await services(shop).verifications.create({ to: newPhone(), channel: 'sms' });
    assert.equal(accountSid, sidOf('AC', account.id));
  }
});

test('a repeated request with a send key sends once and returns the same verification', async () => {
  const to = newPhone();
  const create = async () => {
    const { status, text } = await sendRequest(`${service.url}/v2/Services/${shop}/Verifications`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${sid}:${DEMO_TOKEN}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': 'verify-1',
      },
      body: new URLSearchParams({ To: to, Channel: 'sms' }).toString(),
    });
    assert.equal(status, 201);
    return (JSON.parse(text) as { sid: string }).sid;
  };
  const first = await create();
  assert.equal(await create(), first);
  assert.equal((await codesAt(to, 1)).length, 1);
});

test('refusals have the codes of Twilio', covers('twilio.verify.errors'), async () => {
  const { token: sender } = await tokens.mint(service.demo.id, { scopes: ['send', 'read'] });
  const poor = await service.addAccount({ username: 'poor' }, 0);
  await sources.approve(poor.id, 'Shop');
  const by = (user: string, token: string, of = shop) =>
    verifyOf(user, token).services(of).verifications.create({ to: newPhone(), channel: 'sms' });
  const often = newPhone();
  for (let i = 0; i < 3; i++) await start(often);
  const blocked = newPhone();
  await service.call('json', 'addNumBL', { phones: { phone: blocked } });
  const cases: [() => Promise<unknown>, number, number | null][] = [
    [() => by(sid, 'wrong'), 401, 20003],
    [() => by(sid, sender), 403, 20403],
    [() => by(sidOf('AC', poor.id), DEMO_TOKEN), 401, 20003],
    [() => by(sidOf('AC', poor.id), poor.token), 402, null],
    [() => by(sid, DEMO_TOKEN, serviceSid(1, 'Other')), 400, 60200],
    [() => by(sid, DEMO_TOKEN, 'VA1'), 404, 20404],
    [() => by(sid, DEMO_TOKEN, `VA${'f'.repeat(32)}`), 404, 20404],
    [() => by(sid, DEMO_TOKEN, `VA${'0'.repeat(32)}`), 404, 20404],
    [() => start('12'), 400, 60200],
    [() => start(newPhone(), { channel: 'call' }), 400, 60200],
    [() => start(newPhone(), { customCode: '1234' }), 400, 60200],
    [() => start(often), 429, 60203],
    [() => start(blocked), 400, 21610],
    [() => check(newPhone(), 'abc'), 400, 60200],
    [() => services(shop).verificationChecks.create({ code: '123456' }), 400, 60200],
    [() => services(shop).verificationChecks.create({ verificationSid: 'VEx', code: '123456' }), 404, 20404],
  ];
  for (const [work, status, code] of cases) assert.deepEqual(await failure(work()), { status, code });
});

test('hostile requests are answered, and never with a fault', async () => {
  const root = `${service.url}/v2/Services`;
  const authorization = `Basic ${Buffer.from(`${sid}:${DEMO_TOKEN}`).toString('base64')}`;
  for (const path of [`${shop}/Verifications`, `${shop}/VerificationCheck`, '%00/Verifications'])
    for (const body of [
      '',
      '\0',
      'To=%00&Channel=sms&Code=%00',
      `To=${'0'.repeat(5_000)}&Channel=sms&Code=1234`,
    ]) {
      const { status } = await sendRequest(`${root}/${path}`, {
        method: 'POST',
        headers: { authorization },
        body,
      });
      assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
    }
});

test('a verification is fetched while it waits for its code', covers('twilio.verify.update'), async () => {
  const phone = newPhone();
  const started = await start(phone);
  const one = services(shop).verifications(started.sid);
  const fetched = await one.fetch();
  assert.deepEqual(
    [fetched.sid, fetched.to, fetched.status, fetched.valid, fetched.dateCreated.getTime()],
    [started.sid, `+${stored(phone)}`, 'pending', false, started.dateCreated.getTime()],
  );
  const [code] = await codesAt(phone, 1);
  assert.equal((await check(phone, code!)).status, 'approved');
  assert.deepEqual(await failure(one.fetch()), { status: 404, code: 20404 });
});

test('a program cancels or approves a verification once', covers('twilio.verify.update'), async () => {
  for (const status of ['canceled', 'approved'] as const) {
    const phone = newPhone();
    const { sid: verificationSid } = await start(phone);
    const [code] = await codesAt(phone, 1);
    const one = services(shop).verifications(verificationSid);
    const updated = await one.update({ status });
    assert.deepEqual(
      [updated.sid, updated.status, updated.valid],
      [verificationSid, status, status === 'approved'],
    );
    assert.equal((await check(phone, code!)).status, 'pending');
    assert.deepEqual(await failure(one.update({ status })), { status: 404, code: 20404 });
    assert.deepEqual(await failure(one.fetch()), { status: 404, code: 20404 });
  }
});

test('only the last verification of a phone and the own service are found', async () => {
  const phone = newPhone();
  const { sid: replaced } = await start(phone);
  const { sid: last } = await start(phone);
  const stranger = await service.addAccount({ username: 'stranger' });
  const theirs = verifyOf(sidOf('AC', stranger.id), stranger.token).services(shop);
  const fetches = [
    services(shop).verifications(replaced),
    services(serviceSid(2, 'Shop')).verifications(last),
    theirs.verifications(last),
    services(shop).verifications('VEx'),
    services('VAx').verifications(last),
  ];
  for (const one of fetches) {
    assert.deepEqual(await failure(one.fetch()), { status: 404, code: 20404 });
    assert.deepEqual(await failure(one.update({ status: 'canceled' })), { status: 404, code: 20404 });
  }
  const one = services(shop).verifications(last);
  assert.equal((await one.fetch()).status, 'pending');
  for (const status of ['pending', ''])
    assert.deepEqual(await failure(one.update({ status: status as 'canceled' })), {
      status: 400,
      code: 60200,
    });
});
