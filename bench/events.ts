/*
 * Measures the `dlr` pushes per second through the events module, including PostgreSQL (embedded, fsync on), to a small
 * keep-alive receiver in a separate process.
 *
 * node bench/events.ts [events=20000] [batch=500] [kind=dlr|webhook]
 */
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../server/database/connection.ts';
import { startEmbedded } from '../server/database/embedded.ts';
import { migrate } from '../server/database/migrate.ts';
import { maintainPartitions } from '../server/database/partitions.ts';
import { Events } from '../server/engine/events/events.ts';
import type { Event } from '../server/engine/events/types.ts';
import { systemClock } from '../server/kit/clock.ts';
import { createIdSource } from '../server/kit/ids.ts';
import { createLogger } from '../server/kit/observability/log.ts';
import { secrets } from '../test/support/secrets.ts';
import { tables } from '../test/support/tables.ts';

if (process.argv[2] === 'receive') receive();
else
  await measure(Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 500), process.argv[4] ?? 'dlr');

/** Answers 200 to every request with a content-length, and counts them. */
function receive(): void {
  const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  let count = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    let rest: Buffer = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
      for (;;) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(rest.toString('latin1', 0, end))?.[1] ?? 0);
        if (rest.length < end + 4 + length) return;
        rest = rest.subarray(end + 4 + length);
        count++;
        socket.write(answer);
      }
    });
  });
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
  process.on('message', () => process.send!({ count, cpu: process.cpuUsage() }));
}

async function measure(total: number, size: number, kind: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  const database = await startEmbedded(folder);
  const owner = connect({ ...(database.target as { host: string }), database: 'postgres' } as never, {
    max: 1,
  });
  await owner.unsafe('CREATE DATABASE carillon').catch(() => {});
  await owner.end();
  const sql = connect(database.target);
  await migrate(sql, tables);
  await maintainPartitions(sql, Date.now(), { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 }, tables.partitioned);
  await sql`INSERT INTO accounts (id, username, name, created_at) VALUES (1, 'bench', 'Bench', 0)`;
  await sql`INSERT INTO wallets (account_id) VALUES (1)`;

  const receiver = fork(import.meta.filename, ['receive']);
  const message = <T>(): Promise<T> =>
    new Promise((resolve) => receiver.once('message', (m) => resolve(m as T)));
  const { port } = await message<{ port: number }>();
  const seen = () => {
    const answer = message<{ count: number; cpu: NodeJS.CpuUsage }>();
    receiver.send('count');
    return answer;
  };

  const events = new Events({
    secrets,
    sql,
    ids: createIdSource(1, systemClock),
    clock: systemClock,
    log: createLogger('warn'),
    boot: 'bench',
    allowPrivate: true,
    displayNumber: (digits) => digits.replace(/^972/, '0'),
    timeZoneOf: () => 'Asia/Jerusalem',
  });
  await events.start();
  await events.endpoints.register({
    accountId: 1,
    kind: kind as 'dlr',
    url: `http://127.0.0.1:${port}/push`,
  });

  const round = async (count: number) => {
    const before = await seen();
    const ours = process.cpuUsage();
    const postgres = postgresCpu();
    const start = performance.now();
    // A few groups at a time, like the recorder of receipts.
    let recorded = 0;
    const record = async () => {
      while (recorded < count) {
        const from = recorded;
        recorded += size;
        const happened = Array.from({ length: size }, (_, i): Event => statusEvent(from + i));
        await sql.begin((tx) => events.record(tx, 1, happened));
      }
    };
    await Promise.all([record(), record(), record()]);
    const recordedAfter = performance.now() - start;
    let now = await seen();
    while (now.count - before.count < count) {
      await pause(5);
      now = await seen();
    }
    const seconds = (performance.now() - start) / 1_000;
    const used = process.cpuUsage(ours);
    const each = (microseconds: number) => `${(microseconds / count).toFixed(1)} µs`;
    console.log(
      `${count} ${kind} in groups of ${size}: ${Math.round(count / seconds)}/s ` +
        `(recorded after ${Math.round(recordedAfter)} ms of ${Math.round(seconds * 1000)}); CPU per push: ` +
        `ours ${each(used.user + used.system)}, PostgreSQL ${each((postgresCpu() - postgres) * 1e6)}, ` +
        `receiver ${each(now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system)}`,
    );
  };
  for (let i = 0; i < 3; i++) await round(total);
  await events.stop(1_000);
  const [left] = await sql`
    SELECT (SELECT count(*) FROM event_queue) AS queue, (SELECT count(*) FROM deliveries) AS deliveries`;
  console.log('left behind:', left, `RSS ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`);
  receiver.kill();
  await sql.end();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

function statusEvent(n: number): Event {
  const at = Date.now();
  return {
    type: 'message.status',
    at,
    data: {
      message_id: at * 4096 + n,
      external_id: `order-${n}`,
      shipment_id: at,
      phone: `97250${String(1_000_000 + n).slice(-7)}`,
      source: 'Shop',
      status: 102,
      code: 'DELIVRD',
    },
  };
}

/** Returns the CPU seconds of all PostgreSQL processes of this machine (Linux; elsewhere 0). */
function postgresCpu(): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (!stat.includes('(postgres)')) continue;
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has ended.
    }
  }
  return ticks / 100;
}
