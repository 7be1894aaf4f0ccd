import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson, type Calls, withToken } from './calls.ts';

interface Sources {
  readonly sources: { source: string; kind: string; incoming: boolean; since: string }[];
  readonly waiting: { phone: string; landline: boolean; expires_at: string }[];
  readonly requested: { source: string; note: string; refused: boolean; reason: string }[];
  readonly any: boolean;
}

const service = await startTestService({
  settings: { VERIFY_SOURCES: 'on', VERIFY_CALL_NUMBER: '036001234' },
});
const { url } = service;
const LANDLINE = '035551234';

const sourcesOf = (calls: Calls) => calls.get<Sources>('/sources');

test('a mobile is verified by the link in its SMS, which the account pays', async () => {
  const account = await service.addAccount({ username: 'mobile' });
  const calls = withToken(url, account.token);
  const phone = newPhone();
  const before = await service.balance(account.id);
  const { message } = await calls.post<{ message: string }>('/sources/verify', {
    phones: [phone, stored(phone)],
  });
  assert.match(message, new RegExp(`sent to ${phone}\\.`));
  assert.ok((await service.balance(account.id)) < before);
  const { waiting } = await sourcesOf(calls);
  assert.deepEqual(
    waiting.map((one) => [one.phone, one.landline]),
    [[phone, false]],
  );
  const [sms] = await waitFor('the SMS', async () => {
    const arrived = await service.phone(phone);
    return arrived.length > 0 && arrived;
  });
  const link = /https?:\S+\/v\/[\w-]+/.exec(sms!.text)![0];
  assert.equal((await fetch(link, { method: 'POST' })).status, 200);
  const after = await sourcesOf(calls);
  assert.deepEqual(
    after.sources.map(({ source, kind, incoming }) => [source, kind, incoming]),
    [[phone, 'number', false]],
  );
  assert.deepEqual([after.waiting, after.any], [[], false]);
});

test('a landline waits for a call, which an operator confirms', async () => {
  const account = await service.addAccount({ username: 'landline' });
  const calls = withToken(url, account.token);
  const operator = await asPerson(service, 'operator');
  const { message } = await calls.post<{ message: string }>('/sources/verify', { phones: [LANDLINE] });
  assert.match(message, /call 036001234/);
  type Waiting = {
    verifications: { account_id: string; username: string; phone: string; landline: boolean }[];
  };
  const { verifications } = await operator.get<Waiting>('/operator/verifications');
  const mine = verifications.filter(({ username }) => username === 'landline');
  assert.deepEqual(
    mine.map(({ phone, landline }) => [phone, landline]),
    [[LANDLINE, true]],
  );
  const confirmation = { account_id: mine[0]!.account_id, phone: LANDLINE };
  assert.deepEqual(await calls.refused('POST', '/operator/verifications/confirm', confirmation), [
    'not-allowed',
    undefined,
    403,
  ]);
  assert.deepEqual(await operator.post('/operator/verifications/confirm', confirmation), { done: true });
  assert.deepEqual(
    (await sourcesOf(calls)).sources.map(({ source }) => source),
    [LANDLINE],
  );
  assert.deepEqual(await operator.refused('POST', '/operator/verifications/confirm', confirmation), [
    'not-found',
    undefined,
    404,
  ]);
});

test('an operator approves names and numbers', async () => {
  const account = await service.addAccount({ username: 'named' });
  const calls = withToken(url, account.token);
  const operator = await asPerson(service, 'operator');
  const path = `/operator/accounts/${account.id}/sources`;
  await operator.post(path, { source: 'TheShop' });
  await operator.post(path, { source: LANDLINE, incoming: true });
  assert.deepEqual(
    (await sourcesOf(calls)).sources.map(({ source, kind, incoming }) => [source, kind, incoming]),
    [
      ['theshop', 'name', false],
      [LANDLINE, 'number', true],
    ],
  );
  const answer = await service.call(
    'json',
    'sms',
    { user: { username: 'named' }, source: 'THEshop', destinations: { phone: newPhone() }, message: 'hello' },
    { token: account.token },
  );
  assert.equal(answer.status, 0);
  for (const source of ['', 'two/words', 'x'.repeat(16)]) {
    assert.deepEqual(await operator.refused('POST', path, { source }), ['bad-field', 'source', 400]);
  }
  assert.deepEqual(await operator.refused('POST', '/operator/accounts/1/sources', { source: 'a' }), [
    'not-found',
    undefined,
    404,
  ]);
  assert.deepEqual(await calls.refused('POST', path, { source: 'Another' }), ['not-allowed', undefined, 403]);
});

test('what cannot be verified is refused, and nothing is asked or charged', async () => {
  const account = await service.addAccount({ username: 'refused' });
  const poor = await service.addAccount({ username: 'poor' }, 0);
  const calls = withToken(url, account.token);
  for (const [body, code, field, status] of [
    [{}, 'bad-field', 'phones', 400],
    [{ phones: [] }, 'no-phones', 'phones', 400],
    [{ phones: [5] }, 'bad-field', 'phones[0]', 400],
    [{ phones: ['12'] }, 'bad-destination', 'phones', 400],
    [{ phones: [newPhone(), '12'] }, 'bad-destination', 'phones[1]', 400],
    [{ phones: ['+4915112345678'] }, 'bad-destination', 'phones', 400],
    [{ phones: ['1700700700'] }, 'bad-destination', 'phones', 400],
  ] as const) {
    assert.deepEqual(
      await calls.refused('POST', '/sources/verify', body),
      [code, field, status],
      JSON.stringify(body),
    );
  }
  assert.deepEqual(
    await withToken(url, poor.token).refused('POST', '/sources/verify', { phones: [newPhone()] }),
    ['no-credit', undefined, 402],
  );
  assert.deepEqual((await sourcesOf(calls)).waiting, []);
  assert.equal(await service.balance(account.id), 1_000);
  const sender = await asPerson(service, 'sender', account.id);
  assert.deepEqual(await sender.refused('POST', '/sources/verify', { phones: [newPhone()] }), [
    'not-allowed',
    undefined,
    403,
  ]);
  assert.deepEqual((await sourcesOf(sender)).sources, []);
});

test('a name is requested, rejected with a reason, requested again and approved', async () => {
  const account = await service.addAccount({ username: 'brand' });
  const calls = withToken(url, account.token);
  const operator = await asPerson(service, 'operator');
  type Requests = { requests: { account_id: string; username: string; source: string; note: string }[] };
  const waiting = async () =>
    (await operator.get<Requests>('/operator/source-requests')).requests.filter(
      ({ username }) => username === 'brand',
    );
  const requested = async () =>
    (await sourcesOf(calls)).requested.map(({ source, refused, reason }) => [source, refused, reason]);
  const answer = { account_id: String(account.id), source: 'mybrand' };

  await calls.post('/sources/names', { source: 'MyBrand', note: ' seen at our shops ' });
  assert.deepEqual(await requested(), [['MyBrand', false, '']]);
  const [request] = await waiting();
  assert.deepEqual([request!.source, request!.note], ['MyBrand', 'seen at our shops']);
  assert.deepEqual(await operator.refused('POST', '/operator/source-requests/refuse', answer), [
    'bad-field',
    'reason',
    400,
  ]);
  await operator.post('/operator/source-requests/refuse', { ...answer, reason: 'whose is it?' });
  assert.deepEqual(await requested(), [['MyBrand', true, 'whose is it?']]);
  assert.deepEqual(await waiting(), []);
  assert.deepEqual(await operator.refused('POST', '/operator/source-requests/approve', answer), [
    'not-found',
    undefined,
    404,
  ]);

  await calls.post('/sources/names', { source: 'MYBRAND', note: 'ours, here is the deed' });
  assert.deepEqual(await requested(), [['MYBRAND', false, '']]);
  await operator.post('/operator/source-requests/approve', answer);
  const after = await sourcesOf(calls);
  assert.deepEqual(
    [after.requested, after.sources.map(({ source, kind }) => [source, kind])],
    [[], [['mybrand', 'name']]],
  );
  const sent = await service.call(
    'json',
    'sms',
    { user: { username: 'brand' }, source: 'MyBrand', destinations: { phone: newPhone() }, message: 'hello' },
    { token: account.token },
  );
  assert.equal(sent.status, 0, sent.message);
  assert.deepEqual(await calls.refused('POST', '/sources/names', { source: 'mybrand' }), [
    'not-now',
    'source',
    409,
  ]);
});

test(
  'a name with blanks and signs is requested and approved',
  covers('amendments.approved names'),
  async () => {
    const account = await service.addAccount({ username: 'signs' });
    const calls = withToken(url, account.token);
    const operator = await asPerson(service, 'operator');
    const source = 'My Shop_1.-';
    await calls.post('/sources/names', { source, note: 'on our signs' });
    const answer = { account_id: String(account.id), source };
    assert.deepEqual(await operator.post('/operator/source-requests/approve', answer), { done: true });
    const phone = newPhone();
    await calls.post('/sms', { source, phones: [phone], message: 'hello' }, 202);
    const arrived = await waitFor('the phone to have it', async () => (await service.phone(phone))[0]);
    assert.equal(arrived.from, source);
  },
);

test('a name that cannot be one is refused, and a request is withdrawn', async () => {
  const account = await service.addAccount({ username: 'withdrawn' });
  const calls = withToken(url, account.token);
  for (const source of [undefined, '', '0501234567', ' word', 'word ', 'a/b', 'twelve-chars', 'שלום']) {
    assert.deepEqual(
      await calls.refused('POST', '/sources/names', { source }),
      ['bad-field', 'source', 400],
      source,
    );
  }
  await calls.post('/sources/names', { source: 'Mistake' });
  const sender = await asPerson(service, 'sender', account.id);
  for (const path of ['/sources/names', '/sources/names/withdraw']) {
    assert.deepEqual(await sender.refused('POST', path, { source: 'Other' }), [
      'not-allowed',
      undefined,
      403,
    ]);
  }
  await calls.post('/sources/names/withdraw', { source: 'mistake' });
  assert.deepEqual((await sourcesOf(calls)).requested, []);
  assert.deepEqual(await calls.refused('POST', '/sources/names/withdraw', { source: 'Mistake' }), [
    'not-found',
    undefined,
    404,
  ]);
  for (let index = 0; index < 20; index++) await calls.post('/sources/names', { source: `Name${index}` });
  assert.deepEqual(await calls.refused('POST', '/sources/names', { source: 'Name20' }), [
    'not-now',
    undefined,
    409,
  ]);
  await calls.post('/sources/names', { source: 'Name0', note: 'said again' });
});
