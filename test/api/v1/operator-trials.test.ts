import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAddress, startMail } from '../../channels/mail/campaign-support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from './calls.ts';

/* The connectors of a sandbox, of every protocol: tried, limited, disabled; and a trunk that is added. */

interface Trial {
  readonly is_accepted: boolean;
  readonly steps: { name: string; is_accepted: boolean; answer: string }[];
}
interface Connector {
  readonly name: string;
  readonly protocol: string;
  readonly is_enabled: boolean;
  readonly per_second: number;
  readonly is_configured: boolean;
  readonly sip: { uri: string; prefixes: string[]; calls_at_once: number } | null;
}

const mail = await startMail();
const { service } = mail;
const operator = await asPerson(service, 'operator');
const tryOne = (name: string) => operator.post<Trial>(`/operator/connectors/${encodeURIComponent(name)}/try`);
const all = async () => (await operator.get<{ connectors: Connector[] }>('/operator/connectors')).connectors;
const isUp = (name: string) =>
  waitFor(`${name} is up`, async () => {
    const { carriers } = await operator.get<{ carriers: { name: string; state: string }[] }>(
      '/operator/carriers',
    );
    return carriers.some((carrier) => carrier.name === name && carrier.state === 'up');
  });
const relay = async () => (await all()).find(({ protocol }) => protocol === 'smtp')!;

test('every protocol is tried in its own words', async () => {
  const { name } = await relay();
  const answers = async (connector: string) => {
    const { is_accepted: isAccepted, steps } = await tryOne(connector);
    return [isAccepted, steps.map((step) => step.name)];
  };
  assert.deepEqual(await answers('sandbox'), [
    true,
    ['connect', 'bind_transmitter', 'enquire_link', 'unbind'],
  ]);
  assert.deepEqual(await answers('sandbox-voice'), [true, ['look up', 'OPTIONS']]);
  assert.deepEqual(await answers(name), [true, ['connect, EHLO']]);
});

test('a disabled relay sends no mails, and all that waited when it is enabled', async () => {
  const { name } = await relay();
  const path = `/operator/connectors/${encodeURIComponent(name)}`;
  await isUp(name);
  const off = await operator.call<Connector>('PATCH', path, { is_enabled: false, per_second: 50 });
  assert.deepEqual([off.is_enabled, off.per_second], [false, 50]);
  await waitFor('nobody holds it', async () => {
    const { carriers } = await operator.get<{ carriers: { name: string; state: string }[] }>(
      '/operator/carriers',
    );
    return carriers.find((carrier) => carrier.name === name)?.state === 'free';
  });
  const email = newAddress();
  const id = await mail.send([await mail.list([{ email }])]);
  assert.deepEqual(await mail.mailbox(email), []);
  await operator.call('PATCH', path, { is_enabled: true });
  await mail.finished(id);
  await waitFor('the mail', async () => (await mail.mailbox(email)).length === 1);
  assert.deepEqual(await operator.refused('DELETE', path), ['not-now', undefined, 409]);
});

test('a trunk is added, changed and removed', async () => {
  const configured = (await all()).find(({ name }) => name === 'sandbox-voice')!.sip!;
  const made = await operator.post<Connector>('/operator/connectors', {
    name: 'second-voice',
    sip: { uri: configured.uri, caller_id: '+97237000001', prefixes: ['44'], calls_at_once: 3 },
  });
  assert.deepEqual([made.protocol, made.is_configured, made.per_second], ['sip', false, 1]);
  await isUp('second-voice');
  assert.equal((await tryOne('second-voice')).is_accepted, true);

  const changed = await operator.call<Connector>('PATCH', '/operator/connectors/second-voice', {
    sip: { prefixes: ['49'], calls_at_once: 4 },
  });
  assert.deepEqual([changed.sip?.prefixes, changed.sip?.calls_at_once], [['49'], 4]);
  await isUp('second-voice');
  await operator.call('DELETE', '/operator/connectors/second-voice');
  assert.equal(
    (await all()).some(({ name }) => name === 'second-voice'),
    false,
  );
});
