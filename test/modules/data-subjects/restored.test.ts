import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, type Sql } from '../../../server/database/connection.ts';
import { attachEmbedded } from '../../../server/database/embedded.ts';
import { withToken } from '../../api/v1/calls.ts';
import { carillonProcess, dataFolder, startService } from '../../commands/support.ts';
import { Browser } from '../../support/console.ts';
import { waitFor } from '../../support/wait-for.ts';
import { dump, filesBelow, linesWith, type Request } from './support.ts';

/* A database that is restored from a backup of before an erasure: the real program, embedded PostgreSQL and archive. */

const TOKEN = 'the-token-of-the-demo-account';
const PASSWORD = 'a password of the owner';
const folder = mkdtempSync(join(tmpdir(), 'carillon-erasures-'));
after(() => rm(folder, { recursive: true }));
const archive = join(folder, 'backup.tar.gz');
const settings = { DATA_DIR: dataFolder(), LOG_LEVEL: 'error', CARILLON_DEMO_TOKEN: TOKEN };
const dana = { phone: '0501234567', word: 'Papaya' };
const noa = { phone: '0507654321', word: 'Quince' };
type Somebody = typeof dana | typeof noa;
/** As it is stored anywhere: digits with any beginning, or a word of a text. */
const needlesOf = ({ phone, word }: Somebody) => [phone.slice(1), word];

/** What a running service has in its database. */
async function inside<T>(dataDir: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const embedded = await attachEmbedded(dataDir);
  const sql = connect(embedded.target, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
    await embedded.stop();
  }
}
const linesOf = (dataDir: string, person: Somebody) =>
  inside(dataDir, async (sql) => linesWith(await dump(sql), needlesOf(person)));

async function ownerAt(url: string): Promise<Browser> {
  const browser = new Browser(url);
  assert.equal(await browser.signIn('keren', PASSWORD), '200');
  return browser;
}

async function run(more: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, out, err } = await carillonProcess({ ...settings, ...more }, ...args);
  assert.equal(code, 0, err);
  return out;
}

test('a person who was erased after a backup is erased again when it is restored, and nobody else', async () => {
  const service = await startService(settings);
  await run({}, 'person', 'add', 'keren', '--account', 'demo', '--password', PASSWORD);
  const api = withToken(service.url, TOKEN);
  const { id: list } = await api.post<{ id: string }>('/contact-lists', { name: 'All' });
  for (const { phone, word } of [dana, noa]) {
    await api.post(`/contact-lists/${list}/contacts`, { contacts: [{ phone, fields: [word] }] });
    await api.post('/sms', { source: 'Shop', message: `Dear ${word}`, phones: [phone] }, 202);
    await api.post('/drafts', { channel: 'sms', title: 'Draft', content: { phones: [phone] } });
    const later = new Date(Date.now() + 86_400_000).toISOString();
    await api.post('/sms', { source: 'Shop', message: `${word} soon`, phones: [phone], at: later }, 202);
  }
  await waitFor('two messages are delivered', async () => {
    const { messages } = await api.get<{ messages: unknown[] }>('/messages?state=delivered');
    return messages.length === 2;
  });
  await run({}, 'backup', archive);

  const owner = await ownerAt(service.url);
  const erased = await owner.ask<Request>(
    'POST',
    '/data-subjects/erasures',
    { phones: [dana.phone], confirm: dana.phone, reference: 'case 7' },
    202,
  );
  const stateAt = async (browser: Browser) =>
    (await browser.ask<Request>('GET', `/data-subjects/requests/${erased.id}`)).state;
  await waitFor('she is erased', async () => (await stateAt(owner)) === 'rechecking');
  const records = join(settings.DATA_DIR, 'erasures');
  assert.equal(readdirSync(records).length, 1);
  const [record] = filesBelow(records);
  for (const needle of [...needlesOf(dana), 'case 7']) assert.ok(!record!.includes(needle), needle);
  const doctor = async (more: Record<string, string>) => {
    const { checks } = JSON.parse(await run(more, 'doctor', '--only', 'backups', '--json'));
    return (checks[0].findings as { state: string }[]).map(({ state }) => state);
  };
  assert.deepEqual(await doctor({}), ['ok', 'warn'], 'the records are beside the data');
  assert.deepEqual(await doctor({ ERASURES_DIR: join(folder, 'elsewhere') }), ['ok', 'ok']);
  await service.stop();

  const warned = await run({ DATA_DIR: dataFolder({ empty: true }) }, 'restore', archive);
  assert.match(warned, /Later erasures are missing in it: pass their records with --erasures/);
  const DATA_DIR = dataFolder({ empty: true });
  const missing = await carillonProcess(
    { ...settings, DATA_DIR },
    ...['restore', archive, '--erasures', join(folder, 'nothing')],
  );
  assert.match(missing.err, /there is no folder/);
  const put = await run({ DATA_DIR }, 'restore', archive, '--erasures', records, '--json');
  assert.equal((JSON.parse(put) as { erasures: number }).erasures, 1);
  copyFileSync(join(settings.DATA_DIR, 'secret.key'), join(DATA_DIR, 'secret.key'));

  const again = await startService({ ...settings, DATA_DIR });
  const browser = await ownerAt(again.url);
  await waitFor('she is erased again', async () => (await stateAt(browser)) === 'rechecking');
  assert.deepEqual(await linesOf(DATA_DIR, dana), []);
  const restored = withToken(again.url, TOKEN);
  const { messages } = await restored.get<{ messages: { phone: string; state: string }[] }>('/messages');
  const statesOf = (wanted: (recipient: string) => boolean) =>
    messages.flatMap(({ phone, state }) => (wanted(phone) ? [state] : [])).toSorted();
  assert.deepEqual(
    statesOf((recipient) => recipient.startsWith('erased-')),
    ['cancelled', 'delivered'],
  );
  assert.deepEqual(
    statesOf((recipient) => recipient.endsWith(noa.phone.slice(1))),
    ['delivered', 'waiting'],
  );
  const left = await linesOf(DATA_DIR, noa);
  assert.ok(left.length >= 4, left.join('\n'));
  const { requests } = await browser.ask<{ requests: Request[] }>('GET', '/data-subjects/requests');
  assert.deepEqual(
    requests.map(({ id, reference }) => [id, reference]),
    [[erased.id, 'case 7']],
  );
  await again.stop();
});

test('a database that knows its erasures repeats none, and somebody who came back since is left alone', async () => {
  const service = await startService(settings);
  const api = withToken(service.url, TOKEN);
  await api.post('/sms', { source: 'Shop', message: 'Welcome back', phones: [dana.phone] }, 202);
  await service.stop();
  const again = await startService(settings);
  const { messages } = await withToken(again.url, TOKEN).get<{ messages: { phone: string }[] }>('/messages');
  assert.equal(messages.filter(({ phone }) => phone.endsWith(dana.phone.slice(1))).length, 1);
  await again.stop();
});
