import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { command } from '../../../server/protocols/smpp/commands.ts';
import type { PhoneSms } from '../../../server/sandbox/smsc/phones.ts';
import { Phones } from '../../../server/sandbox/smsc/phones.ts';
import { covers } from '../../conformance/covers.ts';
import { startSandboxApi } from '../../support/sandbox-api.ts';
import { waitFor } from '../../support/wait-for.ts';
import { ConnectorUnderTest, messagePdu, startSmsc } from './support.ts';

async function startApi(t: TestContext) {
  const { smsc, port } = await startSmsc(t);
  return { smsc, port, app: await startSandboxApi(t, { smsc }) };
}

test(
  'what arrived at a phone, oldest first, in any spelling of its number',
  covers('sandbox.phones'),
  async (t) => {
    const { port, smsc, app } = await startApi(t);
    const connector = await new ConnectorUnderTest(t, port).up();
    const arrived: [string, PhoneSms][] = [];
    smsc.phones.on('arrived', (number, sms) => arrived.push([number, sms]));
    const long = 'a long message in several parts '.repeat(10);
    await connector.outcome(connector.submit({ payload: 'first' }));
    await connector.outcome(connector.submit({ payload: long }));
    await waitFor('both', () => arrived.length === 2);
    for (const number of ['972501234567', '0501234567', '+972-50-123-4567']) {
      const url = `/v1/sandbox/phones/${encodeURIComponent(number)}`;
      const answer = await app.inject({ url });
      assert.equal(answer.statusCode, 200);
      const { sms, chat, calls } = answer.json<{ sms: PhoneSms[]; chat: []; calls: [] }>();
      assert.deepEqual([chat, calls], [[], []]);
      assert.deepEqual(
        sms,
        arrived.map(([, each]) => each),
      );
      assert.deepEqual(Object.keys(sms[0]!).sort(), ['at', 'from', 'id', 'text']);
      assert.deepEqual([sms[0]!.text, sms[1]!.text], ['first', long]);
    }
    const silent = await app.inject({ url: '/v1/sandbox/phones/0509999999' });
    assert.deepEqual(silent.json(), { sms: [], chat: [], calls: [] });
  },
);

test('a phone sends an SMS', covers('sandbox.sms'), async (t) => {
  const { port, app } = await startApi(t);
  const connector = await new ConnectorUnderTest(t, port).up();
  const send = (payload: object) =>
    app.inject({ method: 'POST', url: '/v1/sandbox/phones/0501234567/sms', payload });
  const answer = await send({ to: '055-0000001', text: 'שלום' });
  assert.equal(answer.statusCode, 200);
  assert.equal(typeof answer.json().id, 'string');
  await send({ to: 12345, text: 'to a short code' });
  await waitFor('both', () => connector.incoming.length === 2);
  assert.deepEqual(connector.incoming, [
    { from: '972501234567', to: '972550000001', text: 'שלום' },
    { from: '972501234567', to: '12345', text: 'to a short code' },
  ]);
});

test('bad input is refused with the name of the field', covers('sandbox.sms'), async (t) => {
  const { app } = await startApi(t);
  const cases: [number: string, payload: unknown, field: RegExp][] = [
    ['nonsense', { to: '0501234567', text: 'x' }, /^number/],
    ['0501234567', { text: 'x' }, /^to/],
    ['0501234567', { to: 'nobody', text: 'x' }, /^to/],
    ['0501234567', { to: '0501234567' }, /^text/],
    ['0501234567', { to: '0501234567', text: '' }, /^text/],
    ['0501234567', { to: '0501234567', text: 'x'.repeat(20_000) }, /^text/],
    ['0501234567', { to: '0501234567', text: 5 }, /^text/],
    ['0501234567', [], /^body/],
  ];
  for (const [number, payload, field] of cases) {
    const url = `/v1/sandbox/phones/${number}/sms`;
    const answer = await app.inject({ method: 'POST', url, payload: payload as object });
    assert.equal(answer.statusCode, 400, JSON.stringify(payload).slice(0, 60));
    assert.match(answer.json().message, field);
  }
  const unnamed = await app.inject({ url: '/v1/sandbox/phones/nonsense' });
  assert.equal(unnamed.statusCode, 400);
});

test('phones keep the last messages of a number, and the numbers that last got one', () => {
  const phones = new Phones();
  const arrive = (destination: string, text: string) =>
    phones.receive(
      { ...messagePdu(command.submitSm), destination, shortMessage: Buffer.from(text) },
      text,
      0,
    );
  for (let i = 0; i < 250; i++) arrive('1', `${i}`);
  assert.deepEqual([phones.list('1').length, phones.list('1')[0]?.text], [200, '50']);
  for (let i = 2; i <= 100_001; i++) arrive(`${i}`, 'x');
  assert.equal(phones.list('1').length, 0);
  assert.equal(phones.list('2').length, 1);
});
