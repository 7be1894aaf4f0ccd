import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { authorization, callsAt, startVoiceService } from './support.ts';

/** Landlines are verified by a call (interface, B9). */
const service = await startVoiceService({ VERIFY_SOURCES: 'on', VERIFY_CALL_TEXT: '[name]: [code]' });
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
  const text = await metrics.metrics();
  const found = text.matchAll(/^carillon_call_verifications_total\{outcome="([\w-]+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]));
}

test(
  'a landline that calls the number named is declined, and called back with a code that verifies it',
  covers('B9.verify_phone.landline'),
  async () => {
    const phone = '036123456';
    const answer = await service.call('json', 'verify_phone', { phone });
    assert.equal(answer.status, 0);
    assert.match(String(answer.fields.verify_message), /call 03-700-0000 from it within 24 hours/);
    const page = /http:\S+\/v\/[\w-]{22}/.exec(String(answer.fields.verify_message))![0];
    assert.deepEqual(await verified(), []);
    assert.equal(await callFrom(phone), 603);
    const { text } = await waitFor('a call back', async () => (await callsAt(service, phone))[0], 60_000);
    assert.deepEqual(await verified(), []);
    const code = /\b\d{6}\b/.exec(text)![0];
    await fetch(page, { method: 'POST', body: new URLSearchParams({ code }) });
    assert.deepEqual(await verified(), [phone]);
    // A second call changes nothing.
    assert.equal(await callFrom(phone), 603);
    assert.deepEqual(await verified(), [phone]);
  },
);

test(
  'unknown callers and calls to other numbers have no consequence',
  covers('B9.verify_phone.landline'),
  async () => {
    const before = await outcomes();
    await service.call('json', 'verify_phone', { phone: '036123458' });
    await callFrom('036999999');
    await callFrom('036123458', '037999999');
    await waitFor('each call to be counted', async () => {
      const now = await outcomes();
      return ['unknown', 'other-number'].every((outcome) => (now[outcome] ?? 0) > (before[outcome] ?? 0));
    });
    assert.ok(!(await verified()).includes('036123458'));
    assert.deepEqual(await callsAt(service, '036123458'), []);
  },
);

test('a request is over after 24 hours', covers('B9.verify_phone.landline'), async () => {
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
