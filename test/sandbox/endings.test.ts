import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* Numbers of the sandbox that behave as if they had another ending. */

interface Endings {
  readonly endings: { readonly number: string; readonly ending: string }[];
}

const service = await startTestService();
const calls = withToken(service.url, DEMO_TOKEN);
const NUMBER = '972501238888';

/** The status word of an SMS to a number, once it has its final one. */
async function outcomeOf(phone: string): Promise<string> {
  const { shipment_id: id } = await calls.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', phones: [phone], message: 'Hi' },
    202,
  );
  return waitFor('the outcome', async () => {
    const { messages } = await calls.get<{ messages: { state: string }[] }>(`/messages?shipment_id=${id}`);
    const [message] = messages;
    return (message?.state === 'delivered' || message?.state === 'failed') && message.state;
  });
}

test('a number gets another outcome, keeps it, and is reset', async () => {
  assert.deepEqual(await calls.get<Endings>('/sandbox/endings'), { endings: [] });
  assert.equal(await outcomeOf(NUMBER), 'delivered');
  const chosen = await calls.post<Endings>('/sandbox/endings', { number: '050-123-8888', ending: '0001' });
  assert.deepEqual(chosen, { endings: [{ number: '0501238888', ending: '0001' }] });
  assert.equal(await outcomeOf(NUMBER), 'failed');
  assert.equal(await outcomeOf('972501238889'), 'delivered');
  assert.deepEqual(await calls.post<Endings>('/sandbox/endings', { number: NUMBER, ending: null }), {
    endings: [],
  });
  assert.equal(await outcomeOf(NUMBER), 'delivered');
});

test('a number that fails by its own ending can be made to work', async () => {
  const failing = '972501230001';
  assert.equal(await outcomeOf(failing), 'failed');
  await calls.post('/sandbox/endings', { number: failing, ending: '0000' });
  assert.equal(await outcomeOf(failing), 'delivered');
});

test('what is no number or no ending is refused, and nothing is chosen', async () => {
  const before = await calls.get<Endings>('/sandbox/endings');
  for (const body of [
    { number: 'x', ending: '0001' },
    { number: NUMBER, ending: '1234' },
    { number: NUMBER },
  ]) {
    const response = await calls.fetch('POST', '/sandbox/endings', body);
    assert.equal(response.status, 400);
    const { message } = (await response.json()) as { message: string };
    assert.match(message, /^(number|ending)/);
  }
  assert.deepEqual(await calls.get<Endings>('/sandbox/endings'), before);
});
