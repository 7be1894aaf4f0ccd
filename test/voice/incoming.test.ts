import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../support/wait-for.ts';
import { authorization, startVoiceService } from './support.ts';

/** Landlines are verified by a call (interface, B9). */
const service = await startVoiceService({ VERIFY_SOURCES: 'on' });
const CALL_NUMBER = '037000000';

async function callFrom(number: string, to = CALL_NUMBER): Promise<number> {
  return waitFor('the exchange to know the service', async () => {
    const response = await fetch(`${service.url}/v1/sandbox/phones/${number}/call`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ to }),
    });
    return response.status === 200 && ((await response.json()) as { status: number }).status;
  });
}

async function verified(content = {}, options = {}): Promise<string[]> {
  const answer = await service.call('json', 'getVerifiedPhones', content, options);
  return (answer.fields.verified_phones as { PHONE: string }[]).map(({ PHONE }) => PHONE);
}

async function outcomes(): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const found = text.matchAll(/^carillon_call_verifications_total\{outcome="([\w-]+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]));
}

test('a landline that calls the number named is verified, and its call is declined without an answer', async () => {
  const phone = '036123456';
  const answer = await service.call('json', 'verify_phone', { phone });
  assert.equal(answer.status, 0);
  assert.match(String(answer.fields.verify_message), /call 03-700-0000 from it/);
  assert.deepEqual(await verified(), []);
  assert.equal(await callFrom(phone), 603);
  await waitFor('it to be verified', async () => (await verified()).includes(phone));
  // A second call changes nothing.
  assert.equal(await callFrom(phone), 603);
  assert.deepEqual(await verified(), [phone]);
});

test('unknown callers, other numbers, and a number that several accounts wait for verify nothing', async () => {
  const before = await outcomes();
  const other = await service.addAccount({ username: 'other' });
  const contested = '036123457';
  await service.call('json', 'verify_phone', { phone: contested });
  const content = { user: { username: 'other' }, phone: contested };
  assert.equal((await service.call('json', 'verify_phone', content, { token: other.token })).status, 0);
  await service.call('json', 'verify_phone', { phone: '036123458' });
  await callFrom('036999999');
  await callFrom(contested);
  await callFrom('036123458', '037999999');
  await waitFor('each call to be counted', async () => {
    const now = await outcomes();
    return ['unknown', 'several', 'other-number'].every(
      (outcome) => (now[outcome] ?? 0) > (before[outcome] ?? 0),
    );
  });
  const all = [
    ...(await verified()),
    ...(await verified({ user: { username: 'other' } }, { token: other.token })),
  ];
  assert.ok(!all.includes(contested) && !all.includes('036123458'));
});

test('a request is over after 24 hours', async () => {
  const phone = '036123459';
  await service.call('json', 'verify_phone', { phone });
  await service.advance(24 * 3_600 + 60);
  const before = (await outcomes()).unknown ?? 0;
  await callFrom(phone);
  await waitFor('the call to be counted', async () => ((await outcomes()).unknown ?? 0) > before);
  assert.ok(!(await verified()).includes(phone));
});

test('a mobile that calls is not verified: it has its link', async () => {
  const phone = '0501230999';
  await service.call('json', 'verify_phone', { phone });
  const before = (await outcomes()).unknown ?? 0;
  await callFrom(phone);
  await waitFor('the call to be counted', async () => ((await outcomes()).unknown ?? 0) > before);
  assert.ok(!(await verified()).includes(phone));
});
