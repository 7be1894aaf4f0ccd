import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../support/haproxy.ts';
import { Container, HARDENED, podman, until } from './podman.ts';

/* The image as docs/containers.md says to run it: `npm run test:image` builds it and runs this file. */

const IMAGE = process.env.CARILLON_IMAGE!;
const PORT = await freePort();
const URL = `http://127.0.0.1:${PORT}`;
const VOLUME = 'carillon-test-data';
const TRY = [
  '--volume',
  `${VOLUME}:/data`,
  '--publish',
  `127.0.0.1:${PORT}:8080`,
  '--env',
  'SANDBOX_PUBLIC=on',
];

podman('volume', 'rm', '--force', VOLUME);
const began = performance.now();
const service = new Container('carillon-test', IMAGE, [...HARDENED, '--init', ...TRY]);
after(() => {
  service.remove();
  podman('volume', 'rm', '--force', VOLUME);
});
await ready();
const started = performance.now() - began;
const token = /^ +token +(\S+)$/m.exec(service.output)![1]!;

test('it starts with an empty volume, as nobody in particular, and can write to no file of the image', () => {
  assert.equal(service.sh('id --user'), '10001');
  for (const path of ['/app/server/carillon.js', '/etc/passwd', '/usr/local/bin/node'])
    assert.throws(() => service.sh(`echo x >> ${path}`), /Read-only file system|Permission denied/);
  assert.equal(service.sh('grep CapEff /proc/1/status').split('\t')[1], '0000000000000000');
  assert.equal(service.sh('grep NoNewPrivs /proc/1/status').split('\t')[1], '1');
  console.log(`started in ${(started / 1_000).toFixed(1)} s; image ${size()}; memory ${memory()}`);
});

test('it sends a message and a call, and its console is there', async () => {
  await send('0501234567', {});
  await send('0501234568', { tts: { type: 4 } });
  const page = await fetch(`${URL}/`);
  assert.match(await page.text(), /<script type="module"/);
  const message = await until('the message has arrived', async () => (await phone('0501234567')).sms[0]);
  assert.equal(message.text, 'Hello');
  await until('the call was heard', async () =>
    (await messages()).find(({ carrier_status: status }) => status?.startsWith('HEARD')),
  );
});

test('the health check follows readiness', async () => {
  assert.ok(service.isHealthy());
  // As long as PostgreSQL is stopped, nothing can be written.
  const postmaster = service.sh('head --lines=1 /data/postgres/postmaster.pid');
  const server = `$(cat /proc/${postmaster}/task/${postmaster}/children) ${postmaster}`;
  service.sh(`kill -STOP ${server}`);
  await until('it is unhealthy', () => !service.isHealthy() || undefined);
  service.sh(`kill -CONT ${server}`);
  await until('it is healthy', () => service.isHealthy() || undefined);
});

test('a killed PostgreSQL comes back, and nobody is left in the table of processes', async () => {
  service.sh('kill -KILL $(head --lines=1 /data/postgres/postmaster.pid)');
  await send('0501234569', {});
  const states = service.sh('cat /proc/[0-9]*/status').match(/^State:.*$/gm)!;
  assert.ok(states.length > 10);
  assert.deepEqual(
    states.filter((state) => /\tZ/.test(state)),
    [],
  );
});

test('SIGTERM stops it in order, and what it had is there after the next start', async () => {
  const { code, took } = await service.stop();
  assert.equal(code, 0);
  assert.ok(took < 15_000, `${took} ms`);
  assert.match(service.output, /"reason":"SIGTERM","msg":"stopping"/);
  const restarted = performance.now();
  service.start();
  await ready();
  console.log(
    `stopped in ${(took / 1_000).toFixed(1)} s; started again in ${((performance.now() - restarted) / 1_000).toFixed(1)} s`,
  );
  assert.equal((await messages()).length, 3);
});

test('without a word about the sandbox it says why it does not start; a role needs a database', async () => {
  for (const { args, said } of [
    { args: [], said: /the sandbox is on, and HOST is 0\.0\.0\.0.*SANDBOX_PUBLIC=on/ },
    { args: ['serve', '--role', 'api'], said: /DATABASE_URL must be set/ },
  ]) {
    const refused = new Container(
      'carillon-test-refused',
      IMAGE,
      [...HARDENED, '--tmpfs=/data:mode=1777'],
      args,
    );
    try {
      assert.equal(await until('it ends', () => refused.exitCode), 1);
      assert.match(refused.output, said);
    } finally {
      refused.remove();
    }
  }
});

test('commands run next to the service', () => {
  const listed = podman('exec', service.name, 'node', '/app/server/carillon.js', 'account', 'list');
  assert.match(listed, /demo/);
});

async function ready(): Promise<void> {
  await until('the service is ready', async () => {
    if (service.exitCode !== undefined) throw new Error(service.output);
    const answer = await fetch(`${URL}/readyz`).catch(() => undefined);
    return answer?.ok || undefined;
  });
}

async function send(to: string, more: object): Promise<void> {
  const sms = {
    user: { username: 'demo' },
    source: 'Shop',
    destinations: { phone: to },
    message: 'Hello',
    ...more,
  };
  await until('the message is accepted', async () => {
    const answer = await fetch(`${URL}/api`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ sms }),
    });
    return ((await answer.json()) as { status: number }).status === 0 || undefined;
  });
}

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${URL}/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as T;
}
const phone = (number: string) => get<{ sms: { text: string }[] }>(`/sandbox/phones/${number}`);
const messages = async () =>
  (await get<{ messages: { carrier_status: string | null }[] }>('/messages')).messages;

const size = () =>
  `${Math.round(Number(podman('image', 'inspect', '--format', '{{.Size}}', IMAGE)) / 1e6)} MB`;
/** Of the largest process, in megabytes: the service, not the server of its database. */
function memory(): string {
  const statuses = service.sh('cat /proc/[0-9]*/status').split(/^(?=Name:)/m);
  const sizes = statuses
    .filter((status) => /^Name:\t(?:node|MainThread)$/m.test(status))
    .map((status) => Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
  return `${Math.round(Math.max(...sizes) / 1_024)} MB`;
}
