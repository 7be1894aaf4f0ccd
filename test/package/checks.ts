import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { buildPackage } from '../../deploy/debian/build.ts';
import { waitFor } from '../support/wait-for.ts';
import { Machine } from './machine.ts';

/* The Debian package as an administrator uses it: `npm run test:package` builds it and runs this file. */

const [first, second] = process.env.CARILLON_PACKAGES!.split(' ') as [string, string];
const folder = process.env.CARILLON_FOLDER!;
const project = join(import.meta.dirname, '../..');
const machine = await Machine.start(folder, process.env.CARILLON_DEPENDS!.split(' '));
after(() => machine.stop());
for (const file of [first, second]) machine.write(`/srv/${basename(file)}`, readFileSync(file));
const install = (file: string) => machine.must(`dpkg --install /srv/${basename(file)}`);

/** Asks the service in the machine, by its own Node. */
function ask(path: string, init: RequestInit = {}): { status: number; text: string } {
  const script = `fetch('http://127.0.0.1:8080${path}', JSON.parse(process.argv[1])).then(async (answer) =>
    console.log(JSON.stringify({ status: answer.status, text: await answer.text() })))`;
  const answer = machine.must(`/usr/lib/carillon/bin/node -e "${script}" '${JSON.stringify(init)}'`);
  return JSON.parse(answer) as { status: number; text: string };
}
const ready = () => ask('/readyz').status === 200;
const show = (property: string) => machine.must(`systemctl show --value --property=${property} carillon`);
let token = '';

test('its files belong to root, nobody else can write them, and none names the folder of the build', () => {
  const lines = execFileSync('dpkg-deb', ['--contents', first], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .trim()
    .split('\n');
  for (const line of lines) {
    assert.match(
      line,
      /^(?:[d-]rwx?r-x?|-rw-r-----|drwxr-x---|-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|lrwxrwxrwx)/,
      line,
    );
    assert.match(line, / root\/root /, line);
    assert.doesNotMatch(line, / -> \/|node_modules\/(?:vite|typescript|react)\//, line);
  }
  const unpacked = join(folder, 'unpacked');
  execFileSync('dpkg-deb', ['--raw-extract', first, unpacked]);
  assert.throws(() => execFileSync('grep', ['-rlF', project, unpacked]), { status: 1 });
});

test('two builds of one state are the same file', async () => {
  const again = await buildPackage({ version: '90.1.0', out: join(folder, 'again'), compression: 'gzip' });
  const sum = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  assert.equal(sum(again), sum(first));
});

test('it installs with the packages that it names, and the service is ready when dpkg ends', () => {
  install(first);
  assert.equal(show('ActiveState'), 'active', machine.run('journalctl --unit=carillon').output);
  assert.equal(show('UnitFileState'), 'enabled');
  assert.ok(ready());
  token = /^.* token +(\S+)$/m.exec(
    machine.must('journalctl --unit=carillon --output=cat | sed "s/^/ /"'),
  )![1]!;
});

test('a message arrives, and the console and the documentation are there', async () => {
  const headers = { authorization: `Bearer ${token}` };
  const sms = {
    user: { username: 'demo' },
    source: 'Shop',
    destinations: { phone: '0501234567' },
    message: 'Hello',
  };
  const sent = ask('/api', { method: 'POST', headers, body: JSON.stringify({ sms }) });
  assert.match(sent.text, /"status":0/);
  await waitFor('the message arrives', () =>
    ask('/v1/sandbox/phones/0501234567', { headers }).text.includes('"Hello"'),
  );
  assert.match(ask('/').text, /<script type="module"/);
  assert.equal(ask('/docs').status, 200);
});

test('the service runs as its user, without rights that it does not need', () => {
  const status = machine.must(`cat /proc/${show('MainPID')}/status`);
  assert.match(status, /^NoNewPrivs:\t1$/m);
  assert.match(status, /^CapBnd:\t0+$/m);
  assert.match(status, /^Seccomp:\t2$/m);
  const id = machine.must('id --user carillon');
  assert.match(status, new RegExp(`^Uid:\\t${id}\\t`, 'm'));
  assert.equal(machine.must('stat --format="%U %a" /var/lib/carillon'), 'carillon 700');
  assert.equal(machine.must('stat --format="%U:%G %a" /etc/carillon/carillon.env'), 'root:carillon 640');
  assert.equal(machine.must('systemd-analyze verify --man=no carillon.service'), '');
  console.log(machine.must('systemd-analyze security --threshold=20 carillon | tail --lines=1'));
});

test('root and the user of the service run commands next to it', () => {
  for (const user of ['root', 'carillon']) {
    assert.match(machine.must('carillon account list', user), /demo/);
    // The sandbox fails the checks of production.
    const { output } = machine.run('carillon doctor', user);
    assert.match(output, /the demo account of the sandbox/);
  }
  // A file that another user has left where root runs the command.
  machine.must('echo DATABASE_URL=postgres://localhost/other > /tmp/.env');
  assert.match(machine.must('cd /tmp && carillon account list'), /demo/);
  const other = machine.run('carillon account list', 'nobody:nogroup');
  assert.equal(other.status, 1);
  assert.match(other.output, /run the command as root/);
  machine.must('carillon account create shop');
  const headers = { authorization: `Bearer ${token}` };
  assert.equal(ask('/v1/account', { headers }).status, 200);
});

test('a killed service is started again', async () => {
  const before = show('MainPID');
  machine.must(`kill -KILL ${before}`);
  await waitFor('it runs again', () => show('MainPID') !== before && show('ActiveState') === 'active');
  assert.ok(ready());
});

test('a wrong setting fails the start with its name', () => {
  machine.must(
    'cp -p /etc/carillon/carillon.env /srv/settings && echo PORT=many >> /etc/carillon/carillon.env',
  );
  assert.notEqual(machine.run('systemctl restart carillon').status, 0);
  assert.match(machine.must('journalctl --unit=carillon --output=cat --lines=20'), /PORT must be/);
  machine.must('cp -p /srv/settings /etc/carillon/carillon.env');
  machine.must('systemctl reset-failed carillon; systemctl start carillon');
});

test('it stops in order, and commands run on the stopped service', () => {
  machine.must('systemctl stop carillon');
  assert.equal(show('Result'), 'success');
  assert.equal(show('ExecMainStatus'), '0');
  for (const user of ['root', 'carillon']) assert.match(machine.must('carillon account list', user), /shop/);
  assert.equal(machine.must('find /var/lib/carillon ! -user carillon'), '');
});

test('an upgrade keeps settings, data and whether the service is enabled', () => {
  machine.must('systemctl start carillon');
  machine.must('echo LOG_LEVEL=warn >> /etc/carillon/carillon.env');
  install(second);
  assert.equal(machine.must('dpkg-query --show carillon'), 'carillon\t90.2.0');
  assert.ok(ready());
  assert.match(machine.must('carillon account list'), /shop/);
  assert.match(machine.must('cat /etc/carillon/carillon.env'), /^LOG_LEVEL=warn$/m);
  const headers = { authorization: `Bearer ${token}` };
  assert.match(ask('/v1/messages', { headers }).text, /0501234567/);
  machine.must('systemctl disable --now carillon');
  install(second);
  assert.equal(machine.run('systemctl is-enabled carillon').output.trim(), 'disabled');
});

test('removal keeps data and settings, and purging removes them', () => {
  machine.must('dpkg --remove carillon');
  assert.ok(!machine.has('/usr/lib/carillon/server'));
  assert.ok(
    machine.has('/var/lib/carillon/postgres/PG_VERSION') && machine.has('/etc/carillon/carillon.env'),
  );
  install(second);
  assert.match(machine.must('carillon account list'), /shop/);
  machine.must('dpkg --purge carillon');
  for (const path of [
    '/var/lib/carillon',
    '/var/cache/carillon',
    '/etc/carillon',
    '/usr/lib/carillon',
    '/usr/bin/carillon',
  ])
    assert.ok(!machine.has(path), path);
  assert.equal(machine.run('systemctl cat carillon').status, 1);
});
