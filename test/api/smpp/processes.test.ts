import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listProcesses } from '../../../server/database/process-reports.ts';
import { covers } from '../../conformance/covers.ts';
import { phone, startNetwork } from '../../faults/support.ts';
import { freePort } from '../../support/free-port.ts';
import { Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { connectEsme, type Ends, type Esme, receiptOf } from './support.ts';

/* SMPP clients of `carillon start` with several processes that share the port, and after a kill. */

const PROCESSES = 2;
const network = await startNetwork();
const port = await freePort();
const installation = new Installation({
  PROCESSES: String(PROCESSES),
  SMPP_SERVER_PORT: String(port),
  VERIFY_SOURCES: 'off',
  SMPP_URL: network.url({ binds: PROCESSES }),
});
const started = async () => {
  const program = await installation.start();
  await waitFor('all processes are ready', () => program.output().includes('all processes are ready'));
  return program;
};
let program = await started();
await installation.account(program.url, 'shop', 10_000);
const { password } = await installation.command<{ password: string }>(
  ...['smpp-client', 'create', 'shop', 'orders', '--rate', '0', '--binds', '10'],
);

/** Binds as soon as the server takes it. */
function bound(t: Ends, mode: 'transmitter' | 'receiver'): Promise<Esme> {
  return waitFor(`a ${mode}`, async () => {
    const esme = await connectEsme(t, port).catch(() => undefined);
    const answer = await esme?.bind('orders', mode, { password }).catch(() => undefined);
    return answer?.command_status === 0 && esme;
  });
}

let sent = 0;
const submit = (esme: Esme) =>
  esme.submit({ destination_addr: phone(++sent), short_message: 'Hi', registered_delivery: 1 });
const idsOf = (esme: Esme) => esme.delivered.map((pdu) => receiptOf(pdu).id!);

test('receipts find the receiver in another process', covers('smpp.processes'), async (t) => {
  const sql = await installation.sql();
  // Connections are passed to the processes in turns.
  const [transmitter, receiver] = [await bound(t, 'transmitter'), await bound(t, 'receiver')];
  const owners = await sql<{ owner: string }[]>`SELECT DISTINCT lease_owner AS owner FROM smpp_binds`;
  assert.equal(owners.length, PROCESSES);
  const answers = await Promise.all(Array.from({ length: 40 }, () => submit(transmitter)));
  const ids = answers.map(({ message_id }) => String(message_id));
  await waitFor('the receipts', () => receiver.delivered.length >= ids.length);
  assert.deepEqual(new Set(idsOf(receiver)), new Set(ids));
});

test('a kill loses no message that was answered, and no receipt', covers('smpp.processes'), async (t) => {
  const transmitter = await bound(t, 'transmitter');
  const accepted: string[] = [];
  let isKilled = false;
  const submitting = Array.from({ length: 20 }, async () => {
    while (!isKilled) {
      const answer = await submit(transmitter).catch(() => undefined);
      if (!answer) return;
      if (answer.command_status === 0) accepted.push(String(answer.message_id));
    }
  });
  await waitFor('accepted messages', () => accepted.length > 300);
  isKilled = true;
  for (const { report } of await listProcesses(await installation.sql()))
    if (report) process.kill(report.pid, 'SIGKILL');
  await program.kill();
  await Promise.all(submitting);
  program = await started();
  const receiver = await bound(t, 'receiver');
  // Those that a process was sending when it was killed come from the sweep, after a minute (BEING_SENT_MS of smpp/messages.ts).
  await waitFor(
    'the receipt of each',
    () => {
      const received = new Set(idsOf(receiver));
      return accepted.every((id) => received.has(id));
    },
    120_000,
  );
  const sql = await installation.sql();
  await waitFor('the acknowledged receipts to be deleted', async () => {
    return (await sql`SELECT FROM smpp_deliveries`).length === 0;
  });
});
