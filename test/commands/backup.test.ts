import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { rm, truncate } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { waitFor } from '../support/wait-for.ts';
import { carillonProcess, dataFolder, inTurns, startService } from './support.ts';

/* Backups of the embedded database beside a service that sends, and what is restored from them. */

const TOKEN = 'the-token-of-the-demo-account';
const folder = mkdtempSync(join(tmpdir(), 'carillon-backups-'));
after(() => rm(folder, { recursive: true }));
const archive = join(folder, 'backup.tar.gz');
const settings = { DATA_DIR: dataFolder(), LOG_LEVEL: 'error' };

const run = (more: Record<string, string>, ...args: string[]) =>
  carillonProcess({ ...settings, ...more }, ...args);

interface Balance {
  readonly balance: string;
}

const api = (url: string) => ({
  async get<T>(path: string): Promise<T> {
    const response = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    assert.equal(response.status, 200, path);
    return (await response.json()) as T;
  },
  async send(phone: number): Promise<string> {
    const response = await fetch(`${url}/v1/sms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source: 'Shop', message: 'Hello', phones: [`97250${1_000_000 + phone}`] }),
    });
    assert.equal(response.status, 202);
    return ((await response.json()) as { shipment_id: string }).shipment_id;
  },
});

test('a backup while the service sends contains everything accepted before it, which continues after a restore', async () => {
  const service = await startService({ ...settings, CARILLON_DEMO_TOKEN: TOKEN });
  const media = join(settings.DATA_DIR, 'media', '7');
  mkdirSync(media, { recursive: true });
  writeFileSync(join(media, '1'), 'a picture');
  const before: string[] = [];
  for (let phone = 0; phone < 30; phone++) before.push(await api(service.url).send(phone));
  let isOver = false;
  let sent = 30;
  const sending = (async () => {
    while (!isOver) await api(service.url).send(sent++);
  })();
  const made = await run({}, 'backup', archive, '--json');
  isOver = true;
  await sending;
  assert.equal(made.code, 0, made.err);
  const report = JSON.parse(made.out) as { files: number; bytes: number };
  assert.ok(report.files > 500 && report.bytes > 1_000_000, made.out);
  assert.match((await run({}, 'backup', archive)).err, /is there already/);
  // As beside a service of systemd with PrivateTmp.
  const otherTmp = join(folder, 'tmp');
  mkdirSync(otherTmp);
  const doctor = await run({ TMPDIR: otherTmp }, 'doctor', '--only', 'backups', '--json');
  const [{ findings }] = JSON.parse(doctor.out).checks as [{ findings: { state: string; found: string }[] }];
  assert.equal(findings[0]!.state, 'ok');
  assert.ok(findings[0]!.found.endsWith(`, in ${hostname()}:${archive}`), findings[0]!.found);
  await service.stop();

  const restored = { ...settings, DATA_DIR: dataFolder({ empty: true }) };
  const put = await carillonProcess(restored, 'restore', archive);
  assert.equal(put.code, 0, put.err);
  assert.match(put.out, /Copy the key of that time/);
  assert.equal(readFileSync(join(restored.DATA_DIR, 'media', '7', '1'), 'utf8'), 'a picture');
  assert.match((await carillonProcess(restored, 'restore', archive)).err, /has a database/);
  copyFileSync(join(settings.DATA_DIR, 'secret.key'), join(restored.DATA_DIR, 'secret.key'));
  const again = await startService(restored);
  const embedded = await attachEmbedded(restored.DATA_DIR);
  const sql = connect(embedded.target, { max: 1 });
  const audited = await sql<{ after: object }[]>`SELECT after FROM audit_log WHERE action = 'backup'`;
  await sql.end();
  await embedded.stop();
  assert.deepEqual(
    audited.map(({ after: given }) => given),
    [{ file: archive }],
  );
  const calls = api(again.url);
  for (const id of before) await calls.get(`/shipments/${id}`);
  await waitFor('all of it to be delivered', async () => {
    const { messages } = await calls.get<{ messages: [] }>('/messages?state=waiting');
    return messages.length === 0;
  });
  const { balance } = await calls.get<Balance>('/wallet');
  let total = 0;
  for (let after = ''; ; ) {
    const page = await calls.get<{ rows: { amount: string }[]; next: string | null }>(
      `/wallet/ledger?after=${after}`,
    );
    total += page.rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 10_000), 0);
    if (page.next === null) break;
    after = page.next;
  }
  assert.equal(total, Math.round(Number(balance) * 10_000));
  await calls.send(9_999);
  await again.stop();
});

test('a folder that is missing or cannot be written is named in one line', async () => {
  const missing = join(folder, 'missing', 'backup.tar.gz');
  const occupied = join(folder, 'occupied.tar.gz');
  mkdirSync(`${occupied}.part`);
  const [gone, busy] = await inTurns([missing, occupied], (file) => run({}, 'backup', file));
  assert.deepEqual(
    [gone!.code, gone!.err],
    [
      1,
      `carillon: there is no folder ${join(folder, 'missing')} for the backup backup.tar.gz: make it, or name another file\n`,
    ],
  );
  assert.equal(busy!.code, 1);
  assert.match(busy!.err, /^carillon: the backup cannot be written: EISDIR: [^\n]*\n$/);
});

test('what is no whole backup is refused, and nothing is left of it', async () => {
  const empty = dataFolder({ empty: true });
  const target = { DATA_DIR: empty };
  const text = join(folder, 'text');
  writeFileSync(text, 'no archive');
  assert.match((await run(target, 'restore', text)).err, /cannot be read/);
  const half = join(folder, 'half.tar.gz');
  copyFileSync(archive, half);
  await truncate(half, Math.floor(readFileSync(archive).length / 2));
  const refused = await run(target, 'restore', half);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /cannot be read|not a whole backup/);
  assert.deepEqual(readdirSync(empty), []);
  assert.ok(!existsSync(join(empty, 'postgres')));
  assert.match(
    (await run({ DATABASE_URL: 'postgres://localhost/x' }, 'restore', archive)).err,
    /not embedded/,
  );
});
