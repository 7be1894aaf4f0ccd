import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../../bench/support/wait.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { currentTlsFault } from '../../../server/kit/tls-faults.ts';
import { MailConnector } from '../../../server/protocols/smtp/connector.ts';
import { readRelay } from '../../../server/protocols/smtp/relay.ts';
import { asPerson } from '../../api/v1/calls.ts';
import { AUTHORITY_FILE, type CertificateName, certificate } from '../../support/certificates.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { mailAt, newAddress, v1At } from './campaign-support.ts';

/* Relays with certificates that are not accepted. */

const ca = encodeURIComponent(AUTHORITY_FILE);

/** A real mail server with a certificate; `offers` false: without STARTTLS. */
async function startRelay(name: CertificateName, { secure = false, offers = true } = {}) {
  const taken: { to: string; tls: boolean }[] = [];
  const server = new SMTPServer({
    secure,
    ...certificate(name),
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: offers ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      stream.resume().once('end', () => {
        for (const { address } of session.envelope.rcptTo) taken.push({ to: address, tls: session.secure });
        done();
      });
    },
  });
  // Handshakes that fail.
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => listener.once('listening', resolve));
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { taken, port: (listener.address() as AddressInfo).port, server };
}

let links = 0;

/** The outcome of one mail over a relay with this address. */
async function sendOver(address: string) {
  const name = `mail/tls-${links++}`;
  const logged: Record<string, unknown>[] = [];
  const connector = new MailConnector(readRelay(address), {
    name,
    log: createLogger('info', { write: (line) => void logged.push(JSON.parse(line)) }),
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
  const listener = { receipt: async () => {}, incoming: async () => {}, incomingPart: async () => {} };
  connector.start({ ...listener, late() {}, ready() {} });
  const message = { id: 1, accountId: 1, destination: 'dana@example.com', source: '', text: '' } as never;
  const outcome = await new Promise<{ kind: string; code?: string }>((resolve) =>
    connector.submit(message, resolve),
  );
  await connector.stop(0);
  const told = logged.filter(({ reason }) => reason !== undefined);
  return { outcome: outcome.kind, fault: currentTlsFault(name)?.reason, told, logged };
}

const refused: [name: CertificateName, query: string, reason: string][] = [
  ['self-signed', '', 'self-signed'],
  ['self-signed', `?ca=${ca}`, 'self-signed'],
  ['expired', `?ca=${ca}`, 'expired'],
  ['not-yet', `?ca=${ca}`, 'not-yet-valid'],
  ['other-name', `?ca=${ca}`, 'wrong-name'],
  ['valid', `?ca=${ca}&servername=other.example`, 'wrong-name'],
  ['valid', '', 'untrusted'],
];

for (const secure of [false, true]) {
  const scheme = secure ? 'smtps' : 'smtp';
  const way = secure ? 'implicit TLS' : 'STARTTLS';

  test(`${way}: a rejected certificate keeps the mail here, and its reason is logged once`, async () => {
    for (const [name, query, reason] of refused) {
      const relay = await startRelay(name, { secure });
      const { outcome, fault, told } = await sendOver(`${scheme}://localhost:${relay.port}${query}`);
      assert.deepEqual([outcome, fault], ['again', reason], `${name} ${query}`);
      assert.deepEqual(
        told.map((line) => line.reason),
        [reason],
      );
      assert.equal(relay.taken.length, 0);
    }
  });

  test(`${way}: one that is trusted, by a file or by PEM, and any when it is not verified`, async () => {
    const pem = encodeURIComponent(readFileSync(AUTHORITY_FILE, 'utf8'));
    for (const [name, query] of [
      ['valid', `?ca=${ca}`],
      ['valid', `?ca=${pem}&tls=required`],
      ['other-name', `?ca=${ca}&servername=other.example`],
      ['self-signed', '?verify=off'],
      ['expired', '?verify=off'],
    ] as const) {
      const relay = await startRelay(name, { secure });
      const { outcome, fault } = await sendOver(`${scheme}://localhost:${relay.port}${query}`);
      assert.deepEqual([outcome, fault], ['accepted', undefined], `${name} ${query}`);
      assert.deepEqual(relay.taken, [{ to: 'dana@example.com', tls: true }]);
    }
  });
}

test('off: no STARTTLS, though it is offered; required: no mail where it is not', async () => {
  const plain = await startRelay('self-signed');
  assert.equal((await sendOver(`smtp://localhost:${plain.port}?tls=off`)).outcome, 'accepted');
  assert.deepEqual(plain.taken, [{ to: 'dana@example.com', tls: false }]);
  const without = await startRelay('valid', { offers: false });
  const { outcome, fault } = await sendOver(`smtp://localhost:${without.port}?tls=required`);
  assert.deepEqual([outcome, fault], ['again', 'not-offered']);
  assert.equal((await sendOver(`smtp://localhost:${without.port}`)).outcome, 'accepted');
});

test('a relay without TLS on a TLS port', async () => {
  const relay = await startRelay('valid');
  const { outcome, fault } = await sendOver(`smtps://localhost:${relay.port}?ca=${ca}`);
  assert.deepEqual([outcome, fault], ['again', 'handshake']);
});

test('an unreachable relay: the log has the error', async () => {
  const { outcome, fault, logged } = await sendOver(`smtp://127.0.0.1:${await freePort()}`);
  assert.deepEqual([outcome, fault], ['again', undefined]);
  assert.deepEqual(
    logged.map(({ error, command }) => [error, command]),
    [['ESOCKET', 'CONN']],
  );
});

test('settings that cannot be used are named', () => {
  for (const [query, words] of [
    ['tls=maybe', /tls must be auto, required or off/],
    ['verify=yes', /verify must be on or off/],
    ['ca=/nowhere/ca.pem', /ca must be .*no such file/],
    [`ca=${encodeURIComponent(import.meta.filename)}`, /ca must be a file/],
    ['ca=', /ca must be/],
  ] as const)
    assert.throws(() => readRelay(`smtp://localhost:25?${query}`), words, query);
  assert.throws(() => readRelay('smtps://localhost:465?tls=off'), /tls cannot be off/);
});

test('an operator sees why mail stands still, everywhere; and it goes as soon as the certificate is renewed', async () => {
  const relay = await startRelay('expired');
  const lines: Record<string, unknown>[] = [];
  const service = await startTestService({
    settings: {
      MAIL_RELAY_URL: `smtp://localhost:${relay.port}?ca=${ca}&name=renewed`,
      METRICS_TOKEN: 'the-token-of-prometheus',
      LOG_LEVEL: 'info',
    },
    logTo: (line) => void lines.push(JSON.parse(line)),
  });
  const mail = mailAt(v1At(service.url));
  const operator = await asPerson(service, 'operator');
  const readiness = async (token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${service.url}/readyz?for=dispatch`, { headers });
    return { http: answer.status, ...((await answer.json()) as { problems: string[] }) };
  };
  const linkNow = async () => {
    const { carriers } = await operator.get<{
      carriers: { name: string; state: string; problem: { reason: string; detail: string } | null }[];
    }>('/operator/carriers');
    return carriers.find(({ name }) => name === 'mail/renewed')!;
  };
  await waitFor('the relay is known', async () => (await linkNow())?.state === 'up');
  assert.equal((await readiness()).http, 200);

  const addresses = [newAddress(), newAddress(), newAddress()];
  const list = await mail.list(addresses.map((email) => ({ email })));
  const id = await mail.send([list]);
  for (const [name, reason] of [
    ['expired', 'expired'],
    ['other-name', 'wrong-name'],
  ] as const) {
    relay.server.updateSecureContext(certificate(name));
    const link = await waitFor(`the console shows: ${reason}`, async () => {
      const now = await linkNow();
      return now.problem?.reason === reason && now;
    });
    assert.equal(link.state, 'down');
    assert.match(link.problem!.detail, /^[A-Z_]+: \S/);
    const open = await readiness();
    assert.deepEqual([open.http, open.problems], [503, [`carriers: TLS is not accepted (${reason})`]]);
    const [detail] = (await readiness('the-token-of-prometheus')).problems;
    assert.match(
      detail!,
      new RegExp(`^carriers: TLS of mail/renewed is not accepted \\(${reason}\\): [A-Z_]+: `),
    );
    const told = lines.filter((line) => line.reason === reason && line.peer === 'mail/renewed');
    assert.equal(told.length, 1);
    assert.match(
      await metrics.metrics(),
      new RegExp(`carillon_tls_faults_total\\{peer="mail/renewed",reason="${reason}"\\} [1-9]`),
    );
  }
  assert.equal(relay.taken.length, 0);

  relay.server.updateSecureContext(certificate('valid'));
  const { progress } = await mail.finished(id, 30_000);
  assert.equal(progress.sent, 3);
  assert.deepEqual(relay.taken.map(({ to }) => to).toSorted(), addresses.toSorted());
  await waitFor('the console shows that it is up', async () => {
    const { state, problem } = await linkNow();
    return state === 'up' && problem === null;
  });
  assert.equal((await readiness()).http, 200);
  assert.ok(
    lines.some((line) => line.peer === 'mail/renewed' && line.msg === 'TLS: the peer is accepted again'),
  );
});
