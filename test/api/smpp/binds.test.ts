import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { boundEsme, connectEsme, type MadeClient, PASSWORD, startSmppService } from './support.ts';

/* Binds of SMPP clients: who may bind, limits, TLS, the end of a session. */

const folder = mkdtempSync(join(tmpdir(), 'smpp-certificates-'));
const file = join(folder, 'server.pem');
const pemOf = (name: string) =>
  new URL(`../../support/certificates/test-only-${name}.pem`, import.meta.url).pathname;
copyFileSync(pemOf('valid'), file);
const service = await startSmppService({
  SMPP_SERVER_TLS_PORT: '0',
  SMPP_SERVER_CERTIFICATE: file,
  SMPP_SERVER_KEY: file,
});
const { port } = service;
const bindsOf = async (id: string) => (await service.owner.get<MadeClient>(`/smpp-clients/${id}`)).binds;

test(
  'each kind of bind and each version is accepted, and answered as its version has it',
  covers('smpp.bind'),
  async (t) => {
    const { system_id, id } = await service.newClient({ max_binds: 12 });
    for (const mode of ['transmitter', 'receiver', 'transceiver'] as const) {
      for (const interface_version of [0x00, 0x33, 0x34, 0x50]) {
        const esme = await connectEsme(t, port);
        const answer = await esme.bind(system_id, mode, { interface_version });
        assert.equal(answer.command_status, 0);
        assert.equal(answer.sc_interface_version, interface_version >= 0x34 ? 0x34 : undefined);
      }
    }
    const binds = await bindsOf(id);
    assert.equal(binds.length, 12);
    assert.deepEqual([...new Set(binds.map(({ mode }) => mode))], ['transmitter', 'receiver', 'transceiver']);
  },
);

test('binds that a client opens together are all accepted', async (t) => {
  const { system_id, id } = await service.newClient({ max_binds: 15 });
  const esmes = await Promise.all(Array.from({ length: 15 }, () => connectEsme(t, port)));
  const answers = await Promise.all(esmes.map((esme) => esme.bind(system_id)));
  assert.deepEqual(new Set(answers.map((answer) => answer.command_status)), new Set([0]));
  assert.equal((await bindsOf(id)).length, 15);
});

test(
  'enquire_link is answered before the bind, and messages are not accepted',
  covers('smpp.alive'),
  async (t) => {
    const esme = await connectEsme(t, port);
    assert.equal((await esme.ask('enquire_link')).command_status, 0);
    const { command_status } = await esme.submit({ destination_addr: newPhone(), short_message: 'Hi' });
    assert.equal(command_status, errorCode.ESME_RINVBNDSTS);
    assert.equal((await esme.ask('query_sm', { message_id: '1' })).command_status, errorCode.ESME_RINVBNDSTS);
    assert.equal(
      (await esme.ask('cancel_sm', { message_id: '1' })).command_status,
      errorCode.ESME_RINVBNDSTS,
    );
  },
);

test('a wrong password and an unknown system id are refused alike', async (t) => {
  const { system_id } = await service.newClient();
  for (const fields of [{ password: 'wrong-one' }, { system_id: 'nobody' }]) {
    const esme = await connectEsme(t, port);
    const { command_status } = await esme.bind(system_id, 'transceiver', fields);
    assert.equal(command_status, errorCode.ESME_RINVPASWD);
    await waitFor('the end of the connection', () => esme.isClosed);
  }
});

test(
  'wrong passwords are throttled, and do not lock out the client at its own address',
  covers('smpp.bind.throttle'),
  async (t) => {
    const { system_id } = await service.newClient();
    const first = await boundEsme(t, service, system_id);
    await first.ask('unbind');
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) {
      const esme = await connectEsme(t, port);
      statuses.push((await esme.bind(system_id, 'transceiver', { password: 'a-guess' })).command_status);
    }
    assert.equal(statuses[0], errorCode.ESME_RINVPASWD);
    assert.ok(statuses.includes(errorCode.ESME_RBINDFAIL), String(statuses));
    await service.advance(90);
    await boundEsme(t, service, system_id);
    const rows = await service.sql`SELECT FROM audit_log WHERE action = 'SMPP bind'`;
    assert.ok(rows.length > 0);
  },
);

test(
  'a client binds only from its networks, with TLS if it must, and while it may',
  covers('smpp.bind.refused'),
  async (t) => {
    const clients = [
      await service.newClient({ addresses: ['192.0.2.0/24'] }),
      await service.newClient({ tls_required: true }),
      await service.newClient({ enabled: false }),
    ];
    for (const { system_id } of clients) {
      const esme = await connectEsme(t, port);
      assert.equal((await esme.bind(system_id)).command_status, errorCode.ESME_RBINDFAIL);
    }
    const { system_id } = await service.newClient({ addresses: ['127.0.0.0/8'] });
    await boundEsme(t, service, system_id);
  },
);

test('a client has as many binds as it may have, and one that ended makes room', async (t) => {
  const { system_id } = await service.newClient({ max_binds: 1 });
  const first = await boundEsme(t, service, system_id);
  assert.equal((await first.bind(system_id)).command_status, errorCode.ESME_RALYBND);
  const second = await connectEsme(t, port);
  assert.equal((await second.bind(system_id)).command_status, errorCode.ESME_RALYBND);
  assert.equal((await first.ask('unbind')).command_status, 0);
  await waitFor('room for a bind', async () => {
    const esme = await connectEsme(t, port);
    return (await esme.bind(system_id)).command_status === 0;
  });
});

test('an owner disconnects a client, and disables it', async (t) => {
  const { system_id, id } = await service.newClient();
  const esme = await boundEsme(t, service, system_id);
  await esme.submit({ destination_addr: newPhone(), short_message: 'Hi' });
  await waitFor('the count of the bind', async () => (await bindsOf(id))[0]?.accepted === 1);
  await service.owner.post(`/smpp-clients/${id}/disconnect`);
  await waitFor('the end of the session', () => esme.isClosed);
  const again = await boundEsme(t, service, system_id);
  await service.owner.call('PATCH', `/smpp-clients/${id}`, { enabled: false });
  const { command_status } = await again.submit({ destination_addr: newPhone(), short_message: 'Hi' });
  assert.equal(command_status, errorCode.ESME_RINVBNDSTS);
  await waitFor('the end of the session', () => again.isClosed);
  assert.deepEqual(await bindsOf(id), []);
});

test('a new password replaces the old one immediately', async (t) => {
  const { system_id, id } = await service.newClient();
  await service.owner.call('PATCH', `/smpp-clients/${id}`, { password: 'another-password' });
  const old = await connectEsme(t, port);
  assert.equal((await old.bind(system_id)).command_status, errorCode.ESME_RINVPASWD);
  const esme = await connectEsme(t, port);
  assert.equal(
    (await esme.bind(system_id, 'transceiver', { password: 'another-password' })).command_status,
    0,
  );
  assert.notEqual(PASSWORD, 'another-password');
});

test(
  'TLS 1.2 and later is served, and a new certificate is used without a restart',
  covers('smpp.tls'),
  async (t) => {
    const { system_id } = await service.newClient({ tls_required: true });
    const esme = await connectEsme(t, service.tlsPort, { tls: true, rejectUnauthorized: false });
    assert.equal((await esme.bind(system_id)).command_status, 0);
    const nameOf = () =>
      new Promise<string>((resolve, reject) => {
        const socket: TLSSocket = connectTls(
          { host: 'localhost', port: service.tlsPort, rejectUnauthorized: false },
          () => {
            resolve(socket.getPeerCertificate().fingerprint256);
            socket.destroy();
          },
        );
        socket.on('error', reject);
      });
    const before = await nameOf();
    copyFileSync(pemOf('other-name'), file);
    utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    await waitFor('the new certificate', async () => (await nameOf()) !== before);
    const { command_status } = await esme.submit({ destination_addr: newPhone(), short_message: 'Hi' });
    assert.equal(command_status, 0);
    await assert.rejects(
      new Promise((_, reject) => {
        connectTls({ port: service.tlsPort, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }).on('error', reject);
      }),
    );
  },
);
