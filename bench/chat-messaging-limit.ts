/*
 * Measures the cost of a chat portfolio's messaging limit (docs/chat.md, "The tier"). The portfolio has written first
 * to `recipients` clients in the last 24 hours, evenly spread over the minutes, and to as many on the days before; then
 * it sends one message or a step of 2,000 more. Prints the plans of the statements as PostgreSQL ran them, and the time
 * of complete admissions.
 *
 * node bench/chat-messaging-limit.ts [recipients=1000000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { admit } from '../server/channels/chat/admit.ts';
import { reserveQuota } from '../server/channels/chat/messaging-limit.ts';
import { connect, type DatabaseTarget, type Sql } from '../server/database/connection.ts';
import { startEmbedded } from '../server/database/embedded.ts';
import { migrate } from '../server/database/migrate.ts';
import { secrets } from '../test/support/secrets.ts';
import { tables } from '../test/support/tables.ts';

type Folder = Exclude<DatabaseTarget, { url: string }>;

const STEP = 2_000;
const ROUNDS = 50;
const MINUTE = 60_000;
const number = { accountId: 1, phone: '972550000001', portfolioId: 2 };
const recipients = Number(process.argv[2] ?? 1_000_000);
const now = Date.now();
const minute = Math.floor(now / MINUTE);
let fresh = 0;

const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
const database = await startEmbedded(folder);
const target = database.target as Folder;
const owner = connect({ ...target, database: 'postgres' }, { max: 1 });
await owner.unsafe('CREATE DATABASE reach');
await owner.end();
const sql = connect({ ...target, database: 'reach' }, { max: 1 });
try {
  await migrate(sql, tables);
  await fill(sql);
  for (const count of [1, STEP]) await explain(count, 'clients that are new');
  await explain(STEP, 'clients that have their places', knownClients);
  for (const count of [1, STEP]) await time(count);
} finally {
  await sql.end();
  await database.stop();
  await rm(folder, { recursive: true });
}

/** Stores the clients that the portfolio has reached, numbered from 1, half of them in the last 24 hours. */
async function fill(sql: Sql): Promise<void> {
  const prefix = '97250';
  await sql`INSERT INTO accounts (id, username, name, created_at) VALUES (1, 'bench', 'bench', 0)`;
  await sql`INSERT INTO wallets (account_id) VALUES (1)`;
  await sql`
    INSERT INTO chat_portfolios (id, account_id, name, tier, platform_id, access_token, created_at)
    VALUES (2, 1, 'bench', 1000000, 'bench', ${secrets.seal('', 'chat_portfolios.access_token', 2)}, 0)`;
  await sql`
    INSERT INTO chat_reached (account_id, portfolio_id, client, minute)
    SELECT 1, 2, ${prefix} || lpad(n::text, 7, '0'),
      CASE WHEN n <= ${recipients} THEN ${minute} - 1 - n % 1439 ELSE ${minute} - 1440 - n % 10000 END
    FROM generate_series(1, ${2 * recipients}) AS n`;
  // Leaves quota for the further clients.
  await sql`
    INSERT INTO chat_reach (account_id, portfolio_id, minute, clients)
    SELECT 1, 2, minute, count(*) * 9 / 10 FROM chat_reached WHERE minute > ${minute - 1440} GROUP BY minute`;
  await sql.unsafe('VACUUM ANALYZE');
}

/** Returns `count` clients without earlier messages. */
function newClients(count: number): string[] {
  return Array.from({ length: count }, () => `97259${String(++fresh).padStart(7, '0')}`);
}

/** Returns `count` clients reached in the last 24 hours. */
function knownClients(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `97250${String(1 + index * 37).padStart(7, '0')}`);
}

/** Prints PostgreSQL's plan for reserving quota, and rolls it back. */
async function explain(count: number, whose: string, clients = newClients): Promise<void> {
  const plans: string[] = [];
  const told = connect(
    { ...target, database: 'reach' },
    { max: 1, onNotice: (message) => plans.push(message.replace(/^(.{200}).*/gm, '$1 …')) },
  );
  const undone = new Error('undone');
  await told
    .begin(async (tx) => {
      await tx.unsafe(`
        LOAD 'auto_explain';
        SET LOCAL auto_explain.log_min_duration = 0;
        SET LOCAL auto_explain.log_analyze = on;
        SET LOCAL auto_explain.log_buffers = on;
        SET LOCAL auto_explain.log_parameter_max_length = 0;
        SET LOCAL client_min_messages = log`);
      await reserveQuota(tx, number, clients(count), now);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  await told.end();
  console.log(`\n=== ${count} ${whose}\n\n${plans.join('\n\n')}`);
}

/** Measures complete admissions, each with its commit. */
async function time(count: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const clients = newClients(count);
    const started = performance.now();
    await sql.begin((tx) =>
      admit(
        tx,
        { priceOf: () => 0, forgetUnansweredMs: 0 },
        { number, clients, kind: 'template', now, zone: 'UTC' },
      ),
    );
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  console.log(
    `\nadmit, ${count} new: median ${times[ROUNDS / 2]!.toFixed(1)} ms of ${ROUNDS}, with its commit`,
  );
}
