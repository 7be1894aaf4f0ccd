import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { ServiceStatus } from '../../server/run/doctor/status.ts';
import { withToken } from '../api/v1/calls.ts';
import { startNetwork } from '../faults/support.ts';
import { createDatabase } from '../support/database.ts';
import { environmentOfRun } from '../support/environment.ts';
import { newPhone } from '../support/phones.ts';
import { databaseUrl, Installation } from '../support/process.ts';
import { programFile } from '../support/program.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';
import { carillon } from './support.ts';

/* `carillon status` and the doctor read the database: they see every process, whatever machine it runs on, and every connector. */

interface Report {
  readonly checks: readonly {
    readonly findings: readonly { readonly state: string; readonly found: string }[];
  }[];
}

const { target } = await createDatabase();
const network = await startNetwork();
const settings = {
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url().replace('carillon:carillon@', 'carillon:wrong@'),
};
const installation = new Installation(settings);
const environment = { ...settings, DATA_DIR: installation.folder, SECRET_KEY, LOG_LEVEL: 'error' };
const api = await installation.start({ args: ['serve', '--role', 'api'], ready: false });
const dispatch = await installation.start({ args: ['serve', '--role', 'dispatch,jobs'], ready: false });

const status = () => installation.command<ServiceStatus>('status');
const running = ({ processes }: ServiceStatus) => processes.filter(({ roles }) => roles !== null);

/** The findings of the doctor about processes and connectors. */
async function connectorFindings(): Promise<string[]> {
  const { out } = await carillon(environment, 'doctor', '--only', 'connectors', '--json');
  return (JSON.parse(out) as Report).checks[0]!.findings.map(({ state, found }) => `${state} ${found}`);
}

test('status shows the processes of every role, and why a connector is down', async () => {
  const found = await waitFor('both processes and the fault are known', async () => {
    const now = await status();
    return running(now).length === 2 && now.connectors[0]?.problem && now;
  });
  const [first, second] = running(found).toSorted((a, b) => a.roles!.length - b.roles!.length);
  assert.deepEqual([first!.roles, first!.pid, first!.host], [['api'], api.pid, hostname()]);
  assert.deepEqual([second!.roles, second!.pid], [['dispatch', 'jobs'], dispatch.pid]);
  assert.match(second!.version!, /^\d+\.\d+\.\d+/);
  const [connector] = found.connectors;
  assert.deepEqual([connector!.name, connector!.state], ['smpp', 'down']);
  assert.deepEqual(
    [connector!.problem!.reason, connector!.problem!.detail],
    ['access', 'bind: ESME_RINVPASWD'],
  );
  assert.deepEqual(
    found.queues.map(({ lane }) => lane),
    ['otp', 'single', 'bulk'],
  );
  assert.equal(found.webhooks.waiting, 0);
  const failing = await waitFor('the process says that it cannot dispatch', async () => {
    const one = running(await status()).find(({ roles }) => roles!.includes('dispatch'));
    return one!.problems.length > 0 && one;
  });
  assert.match(failing.problems.join(), /no connector is up/);

  const { out, code, err } = await waitFor('the error of the connector is reported', async () => {
    const shown = await carillon(environment, 'status');
    return shown.out.includes('Last errors') && shown;
  });
  assert.equal(code, 0, err);
  assert.match(out, /^Processes\n +ROLES +HOST +PID +VERSION +AGE +ERRORS +STATE\n/m);
  assert.match(out, /smpp +down .*access: bind: ESME_RINVPASWD \(since /);
  assert.match(out, /^Last errors\n {2}\S+ {2}process \d+ {2}\S/m);
});

test('status shows suspended accounts with what is held for them', async () => {
  const { id, token } = await installation.account(api.url, 'shop', 10);
  await installation.command('source', 'approve', 'shop', 'Shop');
  await withToken(api.url, token).post(
    '/sms',
    { source: 'Shop', phones: [newPhone()], message: 'Hello' },
    202,
  );
  assert.equal((await status()).suspended.total, 0);
  await installation.command('account', 'suspend', 'shop');
  const { suspended } = await waitFor('its message is held', async () => {
    const now = await status();
    const held = now.queues.reduce((sum, queue) => sum + queue.held, 0);
    return now.suspended.accounts[0]?.messages === 1 && held === 1 && now;
  });
  const [shop] = suspended.accounts;
  assert.deepEqual(
    [suspended.total, shop!.id, shop!.username, shop!.campaigns, shop!.cancelling],
    [1, String(id), 'shop', 0, false],
  );
  assert.ok(shop!.since);
  const { out } = await carillon(environment, 'status');
  assert.match(out, /^Suspended accounts\n +HELD MESSAGES +HELD CAMPAIGNS +SINCE\n +shop +1 +0 +\d{4}-/m);
});

test('the doctor says the same, and names a role that no process has once its process is killed', async () => {
  const before = await connectorFindings();
  assert.ok(
    before.some((line) => /^fail the connection smpp is down: access \(bind: ESME_RINVPASWD\)/.test(line)),
    before.join('\n'),
  );
  assert.ok(
    before.some((line) => /^ok process \d+ \(api\) on \S+, version \S+ works/.test(line)),
    before.join('\n'),
  );
  await dispatch.kill();
  await waitFor('the killed process is not listed', async () => running(await status()).length === 1);
  const after = await connectorFindings();
  assert.ok(after.includes('fail no process has the role dispatch'), after.join('\n'));
  assert.ok(after.includes('fail no process has the role jobs'), after.join('\n'));
});

test('a process that was stopped leaves the list, and --watch shows the state again and again', async () => {
  const child = spawn(process.execPath, [programFile, 'status', '--watch', '--json'], {
    env: { ...environmentOfRun, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const seen: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    seen.push(running(JSON.parse(line) as ServiceStatus).length);
    if (seen.length === 1) await api.stop();
    if (seen.at(-1) === 0) child.kill('SIGINT');
  }
  await ended;
  assert.equal(seen[0], 1);
  assert.equal(seen.at(-1), 0);
});
