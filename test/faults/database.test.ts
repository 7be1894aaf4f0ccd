import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { connect, type DatabaseTarget } from '../../server/database/connection.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { covers } from '../conformance/covers.ts';
import { databaseUrl, Installation, knownTo, readiness } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Answer, allFinal, assertPaid, call, mustSend, phones, send, startNetwork } from './support.ts';

/* The program on a PostgreSQL of its own (DATABASE_URL) that goes away, comes back, crashes, and has no room left. */

const run = promisify(execFile);
const CREDITS = 100_000;
const SIZE = 20;

const folder = mkdtempSync(join(tmpdir(), 'carillon-server-'));
chmodSync(folder, 0o755);
// Nothing here cuts the machine's power.
let server = await startEmbedded(folder, { fsync: false });
const target = server.target as Exclude<DatabaseTarget, { url: string }>;
const network = await startNetwork();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: 100 }),
});
const program = await installation.start();
const account = await installation.account(program.url, 'robust', CREDITS);
const sql = connect(target, { max: 2, application: 'test' });
after(async () => {
  await sql.end({ timeout: 1 });
  await server.stop();
  if (mounted) await run('umount', [mounted]);
  await rm(folder, { recursive: true, force: true });
  await rm(target.host, { recursive: true, force: true });
});

/** A small disk. */
let mounted: string | undefined;
/** Phones that were sent to so far, and of how many messages acceptance was confirmed. */
let used = 0;
let paid = 0;

const nextPhones = (count: number) => {
  used += count;
  return phones(used - count, count);
};

const dlrOfNothing = {
  transactions: { external_id: 'none' },
  from: '01/01/26 00:00',
  to: '02/01/26 00:00',
};

/** Every message that was accepted has arrived once and is paid for. */
async function assertAllWell(): Promise<void> {
  await allFinal(sql);
  const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM messages`;
  assert.equal(row!.count, paid);
  assert.equal(network.taken.size, paid);
  assert.equal(network.duplicates(), 0);
  await assertPaid(sql, account.id, CREDITS, paid);
}

test('PostgreSQL restarted, and crashed, under load: requests get 0 or 6, and what got 0 is delivered', async () => {
  const requests: { to: string[]; answer: Answer }[] = [];
  let loading = true;
  const worker = async () => {
    while (loading) {
      const to = nextPhones(SIZE);
      requests.push({ to, answer: await send(program.url, account, to) });
    }
  };
  const workers = Promise.all(Array.from({ length: 6 }, worker));
  const accepted = () => requests.filter(({ answer }) => answer.status === 0).length;
  const disturbances = [
    async () => {
      await server.stop();
      server = await startEmbedded(folder, { fsync: false });
    },
    // A crash: the server ends all its sessions and recovers.
    async () => {
      const [backend] = await sql<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE application_name = 'carillon' LIMIT 1`;
      process.kill(backend!.pid, 'SIGKILL');
    },
  ];
  try {
    for (const disturb of disturbances) {
      const before = accepted();
      await waitFor('requests are accepted', () => accepted() >= before + 20);
      await disturb();
    }
    const before = accepted();
    await waitFor('requests are accepted again', () => accepted() >= before + 20);
  } finally {
    loading = false;
    await workers;
  }

  const rows = await sql<{ phone: string }[]>`SELECT recipient AS phone FROM messages`;
  const stored = new Set(rows.map((row) => row.phone));
  for (const { to, answer } of requests) {
    assert.equal(answer.http, 200);
    assert.ok(answer.status === 0 || answer.status === 6, `status ${answer.status}: ${answer.message}`);
    const found = to.filter((number) => stored.has(number)).length;
    assert.equal(
      found,
      answer.status === 0 ? SIZE : 0,
      `status ${answer.status}, ${found} of ${SIZE} are stored`,
    );
  }
  paid += accepted() * SIZE;
  await assertAllWell();
});

test('a new connection lost in its first moment: the program lives on', async () => {
  const place = join(folder, 'proxy');
  mkdirSync(place);
  let toCut = 0;
  const proxy = createServer((client) => {
    const upstream = connectSocket(join(target.host, '.s.PGSQL.5432'));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      // The first ReadyForQuery: the connection is lost in its first moment.
      if (toCut > 0 && chunk.includes('Z\0\0\0\x05I', 0, 'latin1')) {
        toCut--;
        client.write(chunk, end);
      } else client.write(chunk);
    });
  }).listen(join(place, '.s.PGSQL.5432'));
  after(() => proxy.close());
  const environment = { DATABASE_URL: databaseUrl({ ...target, host: place }) };
  const fragile = await installation.start({ args: ['serve', '--role', 'api'], environment });
  await knownTo(fragile.url, account);
  toCut = 3;
  await waitFor('connections were cut', async () => {
    // Several at once, so that more connections are opened.
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => call(fragile.url, account, 'dlr', dlrOfNothing)),
    );
    for (const { http, status } of answers) assert.ok(http === 200 && (status === 0 || status === 6));
    return toCut === 0;
  });
  await mustSend(fragile.url, account, nextPhones(SIZE));
  paid += SIZE;
  await assertAllWell();
  assert.deepEqual(await fragile.stop(), { code: 0, signal: null });
});

test(
  'no database: requests get 6, the program is alive and not ready, and continues when it is back',
  covers('status.6'),
  async () => {
    // Readiness is logged when it is asked for: the outage of the test before ends here.
    await waitFor('the program is ready', async () => (await readiness(program.url)).ready);
    const from = program.output().length;
    await server.stop();
    const answer = await send(program.url, account, nextPhones(SIZE));
    assert.deepEqual([answer.http, answer.status], [200, 6]);
    // A probe may get the answer of the look before, which is at most a second old.
    const notReady = await waitFor('the program is not ready', async () => {
      const found = await readiness(program.url);
      return !found.ready && found;
    });
    // What the database said is for the log.
    assert.deepEqual(notReady, { ready: false, problems: ['database: not available'] });
    await waitFor('it is logged', () =>
      /"problem":"database: [^"]{5,}","msg":"not ready"/.test(program.output()),
    );
    for (const purpose of ['dispatch', 'accept', 'dispatch'] as const)
      assert.equal((await readiness(program.url, purpose)).ready, false);
    assert.equal((await fetch(`${program.url}/healthz`)).status, 200);

    server = await startEmbedded(folder, { fsync: false });
    await waitFor('the program is ready again', async () => (await readiness(program.url)).ready);
    // Other connections than the one that was asked may notice a little later: 6 means to try again.
    await waitFor('a request is accepted', async () => {
      const { status } = await send(program.url, account, nextPhones(SIZE));
      assert.ok([0, 6].includes(status));
      return status === 0;
    });
    paid += SIZE;
    await assertAllWell();
    const logged = await waitFor('its end is logged', () => {
      const lines = program.output().slice(from);
      return lines.includes('"msg":"database available again"') && lines;
    });
    const messages = [...logged.matchAll(/"level":(?:40|50).*"msg":"([^"]+)"/g)].map(([, msg]) => msg!);
    assert.deepEqual(messages.sort(), ['database unavailable', 'not ready'], logged);
    const ended = [...logged.matchAll(/.*"msg":"ready again".*/g)].map(([line]) => JSON.parse(line));
    assert.deepEqual(
      ended.map(({ problem }) => problem),
      ['database: not available'],
      'once, whoever asks',
    );
  },
);

test('hints between processes work again after the database was away: what is cancelled is stopped', async () => {
  network.smsc.change({ answerDelayMs: 100 });
  // In memory, all of it, when it is cancelled.
  const shipment = await mustSend(program.url, account, nextPhones(1_000));
  const before = network.taken.size;
  await waitFor('it is under way', () => network.taken.size > before);
  const answer = await call(program.url, account, 'cancel', { campaign_id: shipment });
  assert.equal(answer.status, 0, answer.message);
  network.smsc.change({ answerDelayMs: 0 });
  await allFinal(sql);
  // What was on the wire has arrived all the same, and is paid for when its answer is stored.
  const sent = await waitFor('what arrived is what is paid for', async () => {
    const [row] = await sql<{ sent: number; balance: string }[]>`
      SELECT (SELECT count(*)::int FROM messages WHERE shipment_id = ${shipment} AND status <> 104) AS sent,
        (SELECT balance FROM wallets WHERE account_id = ${account.id}) AS balance`;
    const arrived = network.taken.size - before;
    const isPaid = Number(row!.balance) === CREDITS - paid - arrived;
    return row!.sent === arrived && isPaid && { count: arrived };
  });
  assert.ok(sent.count < 1_000, `${sent.count} arrived`);
  await assertPaid(sql, account.id, CREDITS, paid + sent.count);
  paid += sent.count;
});

test('disk full: requests get 6 and leave nothing behind; accepted work continues when there is space', async () => {
  const disk = await tightDisk();
  const had = await stock();
  const large = () => ({
    messages: {
      sms: nextPhones(2_500).map((number, index) => ({
        source: 'Carillon',
        message: `${index} ${'x'.repeat(150)}`,
        destinations: { phone: number },
      })),
    },
  });
  let accepted = 0;
  let refused: Answer | undefined;
  await waitFor('a request is refused', async () => {
    const answer = await call(program.url, account, 'bulk', large());
    if (answer.status === 0) accepted++;
    else refused = answer;
    return refused !== undefined;
  });
  assert.ok(accepted > 0);
  assert.deepEqual([refused?.http, refused?.status], [200, 6]);
  assert.deepEqual(await stock(), {
    shipments: had.shipments + accepted,
    messages: had.messages + accepted * 2_500,
  });
  await disk.makeRoom();
  const answer = await call(program.url, account, 'bulk', large());
  assert.equal(answer.status, 0, answer.message);
  await allFinal(sql);
  assert.deepEqual(await stock(), {
    shipments: had.shipments + accepted + 1,
    messages: had.messages + (accepted + 1) * 2_500,
  });
});

test('SIGTERM without a database ends within 10 seconds, and the next start continues', async () => {
  const before = network.taken.size;
  const duplicates = network.duplicates();
  const had = await stock();
  network.smsc.change({ answerDelayMs: 50 });
  await mustSend(program.url, account, nextPhones(1_000));
  await waitFor('it is under way', () => network.taken.size > before);
  await server.stop();
  // One that does not stop in time ends itself with the code 1 (server/commands/stop-requests.ts).
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  server = await startEmbedded(folder, { fsync: false });
  // Nobody gave the leases back: they are as free as time would make them.
  await sql`UPDATE dispatch_batches SET lease_until = 0`;
  await sql`UPDATE links SET lease_until = 0`;
  await installation.start();
  await allFinal(sql);
  assert.equal(network.taken.size - before, 1_000);
  assert.ok(network.duplicates() - duplicates <= 100);
  assert.equal((await stock()).messages, had.messages + 1_000);
});

async function stock(): Promise<{ shipments: number; messages: number }> {
  const [row] = await sql<{ shipments: number; messages: number }[]>`
    SELECT (SELECT count(*)::int FROM shipments) AS shipments, (SELECT count(*)::int FROM messages) AS messages`;
  return row!;
}

/** Puts this month's messages on a small disk of their own; where we may not mount one, the server is made to say so. */
async function tightDisk(): Promise<{ makeRoom(): Promise<void> }> {
  const [partition] = await sql<{ name: string; size: number }[]>`
    SELECT tableoid::regclass::text AS name, pg_table_size(tableoid) AS size FROM messages LIMIT 1`;
  const place = join(folder, 'tight');
  mkdirSync(place);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${partition!.size + 3_000_000}`, 'none', place]);
  } catch {
    await sql.unsafe(`
      CREATE FUNCTION refuse_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM written) > 100 AND (SELECT count(*) FROM messages) > 8000 THEN
          RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full';
        END IF; RETURN NULL; END $$;
      CREATE TRIGGER refuse_room AFTER INSERT ON messages REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_room()`);
    return {
      async makeRoom() {
        await sql`DROP TRIGGER refuse_room ON messages`;
      },
    };
  }
  mounted = place;
  const { uid, gid } = statSync(join(folder, 'postgres'));
  chownSync(place, uid, gid);
  chmodSync(place, 0o700);
  await sql.unsafe(`CREATE TABLESPACE tight LOCATION '${place}'`);
  await sql.unsafe(`ALTER TABLE ${partition!.name} SET TABLESPACE tight`);
  return {
    async makeRoom() {
      await run('mount', ['-o', 'remount,size=256m', place]);
    },
  };
}
