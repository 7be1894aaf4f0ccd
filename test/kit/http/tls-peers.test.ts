import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Agent } from 'undici';
import { createSpeechServer } from '../../../server/channels/voice/speech/speech-server.ts';
import { Attempt, type Failure } from '../../../server/engine/events/attempt.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { currentTlsFault, TlsPeer, tlsFaultOf } from '../../../server/kit/tls-faults.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import { StreamTransport } from '../../../server/protocols/sip/stream.ts';
import { type CertificateName, certificate } from '../../support/certificates.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Every other connection that we make over TLS tells why it was not made. Relays: test/channels/mail/relay-tls.test.ts; SMPP: test/protocols/smpp/bad-peers.test.ts. */

const lines: Record<string, unknown>[] = [];
const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });

async function startServer(name: CertificateName): Promise<{ url: string; port: number }> {
  const server = createServer(certificate(name), (_request, response) => response.end('{}'));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, port };
}

const told = (peer: string) => lines.filter((line) => line.peer === peer).map(({ reason }) => reason);
const counted = async (peer: string, reason: string) =>
  new RegExp(`carillon_tls_faults_total\\{peer="${peer}",reason="${reason}"\\} [1-9]`).test(
    await metrics.metrics(),
  );

const servers = { 'self-signed': await startServer('self-signed'), expired: await startServer('expired') };

test('the chat platform', async () => {
  const client = new ChatPlatformClient({
    baseUrl: servers['self-signed'].url,
    contactPage: 'https://shop.example/c',
    tlsPeer: new TlsPeer('chat', log),
  });
  after(() => client.close());
  const listed = await client.listTemplates({ accountId: '1', token: 'x' });
  assert.equal(listed.outcome, 'again');
  await client.listTemplates({ accountId: '1', token: 'x' });
  assert.equal(currentTlsFault('chat')?.reason, 'self-signed');
  assert.deepEqual(told('chat'), ['self-signed']);
  assert.ok(await counted('chat', 'self-signed'));
});

test('the speech server', async () => {
  const engine = createSpeechServer({
    url: servers['self-signed'].url,
    key: undefined,
    model: 'tts-1',
    voices: { ymMale: 'onyx', ymFemale: 'nova' },
    format: 'wav',
    tlsPeer: new TlsPeer('speech', log),
  });
  after(() => engine.close());
  await assert.rejects(
    engine.speak({ text: 'Hello', voice: 'ymMale', rate: 0 } as never),
    /cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT: /,
  );
  assert.deepEqual([currentTlsFault('speech')?.reason, told('speech')], ['self-signed', ['self-signed']]);
});

test('webhooks', async () => {
  const agent = new Agent();
  after(() => agent.destroy());
  const failure = await new Promise<Failure | null>((resolve) => {
    const options = { origin: servers['self-signed'].url, path: '/', method: 'POST' as const, body: 'x' };
    const send = (attempt: Attempt) => void agent.dispatch(options, attempt);
    send(new Attempt(send, (_attempt, failed) => resolve(failed), Date.now));
  });
  assert.equal(failure?.reason, 'certificate');
  assert.match(failure.error, /^DEPTH_ZERO_SELF_SIGNED_CERT: /);
  assert.ok(await counted('webhooks', 'self-signed'));
});

test('trunks', async () => {
  const transport = new StreamTransport({
    local: { address: '127.0.0.1', port: 0 },
    listens: false,
    tls: { client: { servername: 'localhost' } },
    peer: new TlsPeer('trunk', log),
  });
  const closed = Promise.withResolvers<void>();
  await transport.open({ message() {}, malformed() {}, closed: () => closed.resolve() });
  after(() => transport.close());
  transport.flowTo({ address: '127.0.0.1', port: servers.expired.port });
  await closed.promise;
  await waitFor('its fault', () => currentTlsFault('trunk') !== undefined);
  assert.equal(told('trunk').length, 1);
});

test('the reason of an OpenSSL error is one line', () => {
  const message =
    '40DDADAA207F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/ssl/tlsany_meth.c:77:\n';
  const error = Object.assign(new Error(message), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
  const detail = 'ERR_SSL_WRONG_VERSION_NUMBER: wrong version number';
  assert.deepEqual(tlsFaultOf(error), { reason: 'handshake', detail });
});

test('errors with other causes do not count as TLS errors', () => {
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ])
    assert.equal(tlsFaultOf(Object.assign(new Error(code), { code })), undefined, code);
  assert.equal(tlsFaultOf(undefined), undefined);
  const inner = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
  assert.equal(tlsFaultOf(new Error('fetch failed', { cause: inner }))?.reason, 'expired');
});
