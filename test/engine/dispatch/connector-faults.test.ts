import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { freePorts } from '../../../bench/support/wait.ts';
import type {
  CarrierListener,
  NewCarrier,
  OutgoingMessage,
} from '../../../server/engine/carriers/carrier.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import { ChatConnector } from '../../../server/protocols/chat-platform/connector.ts';
import { sipTrunkSettings } from '../../../server/protocols/sip/settings.ts';
import { SipTrunk } from '../../../server/protocols/sip/trunk.ts';
import { SmppConnector } from '../../../server/protocols/smpp/connector.ts';
import { smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';
import { MailConnector } from '../../../server/protocols/smtp/connector.ts';
import { readRelay } from '../../../server/protocols/smtp/relay.ts';
import { startNetwork } from '../../faults/support.ts';
import { number, textMessage } from '../../protocols/chat-platform/support.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Each kind of connector says why it is down, in the same words. */

const log = createLogger('silent');
const network = await startNetwork();
/** A port of this machine that nobody listens at. */
const closedPort = await freePorts(1);

const listener: CarrierListener = {
  receipt: async () => {},
  incoming: async () => {},
  incomingPart: async () => {},
  late() {},
  ready() {},
};
const message = {
  accountId: 1,
  id: 1,
  source: 'Shop',
  destination: '972501234567',
  payload: 'Hello',
  validUntil: Date.now() + 3_600_000,
} as OutgoingMessage<never>;

/** Starts a connector, submits a message where one is needed, and returns the fault that it shows. */
async function faultOf(carrier: NewCarrier, { submit = false } = {}) {
  carrier.start(listener);
  try {
    if (submit) carrier.submit(message, () => {});
    const { reason, detail } = await waitFor('the connector has a fault', () => carrier.fault);
    return { reason, detail };
  } finally {
    await carrier.stop(0);
  }
}

const smpp = (settings: object) =>
  new SmppConnector(
    smppConnectorSettings.parse({
      name: 'smpp',
      host: '127.0.0.1',
      port: network.port,
      systemId: 'carillon',
      password: 'carillon',
      reconnectMinMs: 10,
      reconnectMaxMs: 50,
      ...settings,
    }),
    { log, clock: systemClock },
  );

const mail = (url: string) =>
  new MailConnector(readRelay(url), {
    name: 'mail/relay',
    log,
    read: async () => ({
      kind: 'mail',
      mail: {
        envelope: { from: 'news@shop.example', to: 'dana@example.com' },
        fields: ['From: news@shop.example', 'To: dana@example.com', 'Subject: Hello'],
        body: 'Hello\r\n',
      },
    }),
    refused: { recipient: 101, content: 108 },
    window: 10,
    dkim: undefined,
  });

const dnsReasons = ['unknown-host', 'dns'];

test('an SMPP connector names the status of a refused bind, and other causes', async () => {
  assert.deepEqual(await faultOf(smpp({ password: 'wrong' })), {
    reason: 'access',
    detail: 'bind: ESME_RINVPASWD',
  });
  assert.equal((await faultOf(smpp({ port: closedPort }))).reason, 'refused');
  // Without internet DNS may not answer at all.
  assert.ok(dnsReasons.includes((await faultOf(smpp({ host: 'smsc.invalid' }))).reason));
  const secured = await faultOf(smpp({ host: 'smsc.invalid', tls: true }));
  assert.ok(
    dnsReasons.includes(secured.reason),
    `${secured.reason}: a name that DNS does not know is no fault of TLS`,
  );
});

test('an SMPP connector that is bound has no fault', async () => {
  const carrier = smpp({});
  carrier.start(listener);
  await waitFor('the connector is up', () => carrier.up);
  assert.equal(carrier.fault, undefined);
  await carrier.stop(0);
});

test('a mail relay that refuses the connection or the password is shown with that reason', async () => {
  const relay = new SMTPServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(new Error('wrong password')),
  });
  relay.listen(0, '127.0.0.1');
  await once(relay.server, 'listening');
  const { port } = relay.server.address() as AddressInfo;
  try {
    const refused = await faultOf(mail(`smtp://user:wrong@127.0.0.1:${port}`), { submit: true });
    assert.equal(refused.reason, 'access', refused.detail);
    assert.match(refused.detail, /535/);
    const closed = await faultOf(mail(`smtp://127.0.0.1:${closedPort}`), { submit: true });
    assert.equal(closed.reason, 'refused', closed.detail);
    const unknown = await faultOf(mail('smtp://relay.invalid'), { submit: true });
    assert.ok(dnsReasons.includes(unknown.reason), unknown.detail);
  } finally {
    relay.close();
  }
});

const trunk = (uri: string, logger = log) =>
  new SipTrunk(
    sipTrunkSettings.parse({
      name: 'trunk',
      uri,
      callerId: '97237000000',
      localAddress: '127.0.0.1',
      t1Ms: 20,
    }),
    {
      log: logger,
      clock: systemClock,
      prompt: () => Promise.reject(new Error('nothing is called')),
    },
  );

test('a trunk without an answer or with an unknown host name is shown with that reason', async () => {
  const silent = await faultOf(trunk(`sip:127.0.0.1:${closedPort}`));
  assert.ok(['timeout', 'unreachable'].includes(silent.reason), silent.detail);
  const unknown = await faultOf(trunk('sip:trunk.invalid'));
  assert.ok(dnsReasons.includes(unknown.reason), unknown.detail);
});

test('a trunk that cannot be opened is in the log once, and its attempts are counted', async (t) => {
  const failures = async () => {
    const shown = await metrics.metrics();
    return Number(/^carillon_outage_failures_total\{what="trunk"\} (\d+)$/m.exec(shown)![1]);
  };
  const before = await failures();
  const lines: string[] = [];
  const carrier = trunk(
    'sip:trunk.invalid',
    createLogger('info', { write: (line) => void lines.push(line) }),
  );
  carrier.start(listener);
  t.after(() => carrier.stop(0));
  await waitFor('two attempts', async () => (await failures()) >= before + 2);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['trunk unavailable'],
  );
});

test('a business number whose platform refuses the connection is shown with that reason', async () => {
  const client = new ChatPlatformClient({
    baseUrl: `http://127.0.0.1:${closedPort}`,
    contactPage: 'https://a.example/',
  });
  const carrier = new ChatConnector(
    { ...number, messagesPerSecond: 0 },
    {
      name: 'chat/972551234567',
      client,
      read: () => textMessage('Hello'),
      refusedStatus: 101,
      window: 10,
      clientPauseMs: 0,
    },
  );
  const { reason, detail } = await faultOf(carrier, { submit: true });
  assert.equal(reason, 'refused', detail);
  await client.close();
});
