import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { listProcesses } from '../../../server/database/process-reports.ts';
import { allFinal, assertPaid, mustSend, phones, startNetwork } from '../../faults/support.ts';
import { Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* `carillon start` with PROCESSES=3, an embedded database, and a carrier that permits three sessions. */

const PROCESSES = 3;
const WINDOW = 60;
const CREDITS = 10_000;
const network = await startNetwork();
const installation = new Installation({
  PROCESSES: String(PROCESSES),
  METRICS_PORT: '0',
  SMPP_URL: network.url({ binds: PROCESSES, window: WINDOW, messagesPerSecond: 600 }),
});
const started = async () => {
  const program = await installation.start();
  await waitFor('all processes are ready', () => program.output().includes('all processes are ready'));
  return program;
};
const program = await started();
const account = await installation.account(program.url, 'group', CREDITS);

/** The processes that report, by their numbers. */
const running = async () =>
  (await listProcesses(await installation.sql())).flatMap(({ number, boot, report }) =>
    report ? [{ number, boot, ...report }] : [],
  );

/** A request on a connection of its own. */
const ask = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(`${program.url}${path}`, { agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.once('end', () => resolve(body));
    })
      .once('error', reject)
      .end();
  });

async function metric(pattern: RegExp): Promise<number> {
  const [, address] = /"monitoring":"([^"]+)"/.exec(program.output())!;
  const text = await (await fetch(`${address}/metrics`)).text();
  return [...text.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
}

const accepted = () => metric(/^carillon_messages_accepted_total (\d+)$/gm);

test('every process has a session of the connector, and metrics are those of all', async () => {
  await waitFor('each process has a session', () => network.smsc.boundSessions === PROCESSES);
  const processes = await waitFor('all processes report', async () => {
    const found = await running();
    return found.length === PROCESSES && found;
  });
  assert.equal(new Set(processes.map(({ pid }) => pid)).size, PROCESSES);
  assert.equal(await metric(/^carillon_smpp_binds\{link="[^"]+"\} (\d+)$/gm), PROCESSES);
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask('/healthz')));
  assert.deepEqual([...new Set(answers)], ['{"status":"ok"}']);
  const before = await accepted();
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => mustSend(program.url, account, phones(index, 1))),
  );
  assert.equal((await accepted()) - before, 30);
  await allFinal(await installation.sql());
  assert.equal(network.duplicates(), 0);
});

test('connectors appear once in the state of the network', async () => {
  const { connectors } = await installation.command<{
    connectors: readonly { name: string; state: string; window: number }[];
  }>('status');
  assert.deepEqual(
    connectors.map(({ state, window }) => ({ state, window })),
    [{ state: 'up', window: WINDOW }],
  );
});

test('another process replaces a killed one, and others send its work, at most a part of a window twice', async () => {
  const sql = await installation.sql();
  const shipments = Array.from({ length: 12 }, (_, index) =>
    mustSend(program.url, account, phones(1_000 + index * 200, 200)),
  );
  await Promise.all(shipments);
  await waitFor('it is under way', () => network.taken.size > 400);
  const victim = (await running()).at(-1)!;
  process.kill(victim.pid, 'SIGKILL');
  await waitFor('another process is started', () =>
    /"index":\d,"exitCode":null,"signal":"SIGKILL"/.test(program.output()),
  );
  await allFinal(sql);
  assert.equal(network.taken.size, 30 + 2_400);
  assert.ok(network.duplicates() <= WINDOW / PROCESSES, `${network.duplicates()} duplicates`);
  await assertPaid(sql, account.id, CREDITS, 2_430);
  await waitFor('all sessions are bound again', () => network.smsc.boundSessions === PROCESSES);
  assert.ok(!(await running()).some(({ boot }) => boot === victim.boot));
});

test('the process of the jobs is replaced by one that has them', async () => {
  const size = () => metric(/^carillon_database_bytes (\d+)$/gm);
  assert.ok((await size()) > 0, 'a job measures the database');
  // The first process has the lowest number.
  const victim = (await running())[0]!;
  process.kill(victim.pid, 'SIGKILL');
  await waitFor(
    'the process is gone',
    async () => !(await running()).some(({ boot }) => boot === victim.boot),
  );
  await waitFor('another process has the jobs', async () => (await size()) > 0);
});

test('SIGTERM ends all processes and the database', async () => {
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  assert.equal(network.smsc.boundSessions, 0);
  assert.equal(installation.postmaster(), undefined);
});

test('processes stop when their supervisor was killed', async () => {
  const again = await started();
  // The output ends when all have closed it.
  await again.kill();
  assert.equal(again.output().match(/"reason":"the supervisor has ended"/g)?.length, PROCESSES);
});

test('a start that fails says why once', async () => {
  const { code, output } = await installation.startInVain({ HOME_COUNTRY: 'XX' });
  assert.equal(code, 1);
  assert.equal(output.match(/HOME_COUNTRY/g)?.length, 1, output);
});
