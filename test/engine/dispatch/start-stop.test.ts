import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type CarrierListener,
  connectorOf,
  type NewCarrier,
} from '../../../server/engine/carriers/carrier.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { ChatConnector } from '../../../server/protocols/chat-platform/connector.ts';
import { HttpConnector } from '../../../server/protocols/http-carrier/connector.ts';
import { sipTrunkSettings } from '../../../server/protocols/sip/settings.ts';
import { SipTrunk } from '../../../server/protocols/sip/trunk.ts';
import { SmppConnector } from '../../../server/protocols/smpp/connector.ts';
import { smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';
import { MailConnector } from '../../../server/protocols/smtp/connector.ts';
import { readRelay } from '../../../server/protocols/smtp/relay.ts';
import { Relay } from '../../channels/mail/relay.ts';
import { startNetwork } from '../../faults/support.ts';
import { number, startPlatform, templateMessage } from '../../protocols/chat-platform/support.ts';
import { settingsOf, simple, startProvider } from '../../protocols/http-carrier/support.ts';
import { spokenTone, startExchange } from '../../protocols/sip/support.ts';
import { waitFor } from '../../support/wait-for.ts';

/*
 * The contract of carriers: each class of one has to be here. A carrier is stopped before, while and after it starts, twice, and
 * by several callers; its connector opens a new one each time.
 */

const ROUNDS = 8;
const log = createLogger('silent');
const nothing = async () => {};
const listener: CarrierListener = {
  receipt: nothing,
  incoming: nothing,
  incomingPart: nothing,
  late() {},
  ready() {},
};

/** Makes carriers of a class that reach a carrier that answers. */
type Making = (t: TestContext) => Promise<() => NewCarrier>;

const makers: Readonly<Record<string, Making>> = {
  async SmppConnector() {
    const { port } = await startNetwork();
    const login = { systemId: 'carillon', password: 'carillon' };
    const settings = smppConnectorSettings.parse({
      name: 'smpp',
      host: '127.0.0.1',
      port,
      ...login,
      binds: 3,
    });
    return () => new SmppConnector(settings, { log, clock: systemClock });
  },
  async SipTrunk(t) {
    const { uri } = await startExchange(t);
    const settings = sipTrunkSettings.parse({ name: 'sip', callerId: '97237000000', uri });
    const prompt = async () => spokenTone(100);
    return () => new SipTrunk(settings, { log, clock: systemClock, prompt });
  },
  async MailConnector() {
    const relay = new Relay();
    await relay.open();
    const settings = readRelay(`smtp://127.0.0.1:${relay.port}`);
    const refused = { recipient: 101, content: 108 };
    const read = async () => ({ kind: 'withheld', status: 0, code: 'test' }) as const;
    return () =>
      new MailConnector(settings, { name: 'mail', log, read, refused, window: 10, dkim: undefined });
  },
  async ChatConnector(t) {
    const { client } = await startPlatform(t);
    const options = { name: 'chat', client, refusedStatus: 101, window: 20, clientPauseMs: 0 };
    const read = () => templateMessage('plain');
    return () => new ChatConnector({ ...number, messagesPerSecond: 0 }, { ...options, read });
  },
  async HttpConnector(t) {
    const { origin } = await startProvider(t, () => ({ status: 200, body: { id: '1' } }));
    const settings = settingsOf({ description: simple(origin) });
    const cursors = { read: async () => undefined, write: async () => {} };
    const deps = { clock: systemClock, log, publicUrl: () => origin, allowPrivate: true, cursors };
    return () => new HttpConnector(settings, deps);
  },
};

test('every class of carrier is in this test', () => {
  const folder = join(import.meta.dirname, '../../../server');
  const classes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/class (\w+).* implements NewCarrier/g),
    ])
    .map(([, name]) => name);
  assert.deepEqual(classes.sort(), Object.keys(makers).sort());
});

const assertStopped = (carrier: NewCarrier, when: string) =>
  assert.deepEqual([carrier.up, carrier.capacity()], [false, 0], when);

for (const [name, making] of Object.entries(makers)) {
  test(`${name} can be stopped at any time, and its connector opens it again`, async (t) => {
    const make = await making(t);
    for (let round = 0; round < ROUNDS; round++) {
      const unstarted = make();
      await unstarted.stop(0);
      assertStopped(unstarted, 'stopped before it was started');

      const starting = make();
      starting.start(listener);
      for (let turns = 0; turns < round; turns++) await turn();
      await Promise.all([starting.stop(0), starting.stop(0), starting.stop(100)]);
      assertStopped(starting, 'stopped while it was starting');

      const running = make();
      running.start(listener);
      await waitFor('the carrier is up', () => running.up);
      await Promise.all([running.stop(100), running.stop(0)]);
      await running.stop(0);
      assertStopped(running, 'stopped twice');
    }

    const connector = connectorOf({ name }, make);
    for (let round = 0; round < ROUNDS; round++) {
      const carrier = connector.open(listener);
      await waitFor('the carrier is up again', () => carrier.up && carrier.capacity() > 0);
      await carrier.stop(0);
      assert.equal(carrier.up, false);
    }
  });
}

test('a connector does not start a carrier that it has opened before', async () => {
  const carrier = new MailConnector(readRelay('smtp://127.0.0.1:1'), {
    name: 'mail',
    log,
    read: async () => ({ kind: 'withheld', status: 0, code: 'test' }),
    refused: { recipient: 101, content: 108 },
    window: 10,
    dkim: undefined,
  });
  const connector = connectorOf({ name: 'mail' }, () => carrier);
  await connector.open(listener).stop(0);
  assert.throws(() => connector.open(listener), /a stopped carrier is not started again/);
});
