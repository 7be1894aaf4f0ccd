import assert from 'node:assert/strict';
import { channels } from '../../../server/channels/index.ts';
import { readMailAddress } from '../../../server/channels/mail/addresses.ts';
import { createMailModule } from '../../../server/channels/mail/module.ts';
import type { UserInput } from '../../../server/channels/mail/user-changes.ts';
import type { Sql } from '../../../server/database/connection.ts';
import { maintainPartitions } from '../../../server/database/partitions.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { Accounts } from '../../../server/modules/accounts/accounts.ts';
import { TokenUses } from '../../../server/modules/accounts/token-uses.ts';
import { CsvJobs } from '../../../server/modules/audience/csv-jobs.ts';
import { Suppressions } from '../../../server/modules/audience/suppressions.ts';
import { Questions } from '../../../server/modules/budgets/questions.ts';
import { Consents } from '../../../server/modules/consents/consents.ts';
import { AuditLog } from '../../../server/modules/people/audit.ts';
import { startEvents } from '../../engine/events/support.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { createDatabase } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { secrets } from '../../support/secrets.ts';
import { tables } from '../../support/tables.ts';
import { workFor } from '../../support/work.ts';

/** Where links of the modules begin. */
export const BASE = 'https://mail.example.com';
/** Users that one statement of `fillList` makes. */
const FILL_SLICE = 100_000;

/** Fills a list with users `crowd0@example.net`, …, faster than any request could. */
export async function fillList(sql: Sql, accountId: number, listId: number, count: number): Promise<void> {
  // In slices: a statement has half a minute, which a million rows may take on a machine that has much else to do.
  for (let from = 0; from < count; from += FILL_SLICE) {
    const to = Math.min(from + FILL_SLICE, count) - 1;
    await sql`
      INSERT INTO mail_users (account_id, id, address, address_key, first_name, created_at)
      SELECT ${accountId}, 100000000 + n, 'crowd' || n || '@example.net', 'crowd' || n || '@example.net', 'Dana', 0
      FROM generate_series(${from}::int, ${to}::int) AS n`;
    await sql`
      INSERT INTO mail_members (account_id, filling_id, user_id, pending)
      SELECT ${accountId}, l.filling_id, 100000000 + n, false
      FROM mail_lists l, generate_series(${from}::int, ${to}::int) AS n
      WHERE l.account_id = ${accountId} AND l.id = ${listId}`;
  }
  await sql`
    UPDATE mail_lists SET user_count = ${count}, active_count = ${count}
    WHERE account_id = ${accountId} AND id = ${listId}`;
  await sql`ANALYZE mail_users, mail_members`;
}

/** A user to be added, who has to have an address that can be read. */
export function given(address: string, fields: Omit<UserInput, 'address'> = {}): UserInput {
  const read = readMailAddress(address);
  assert.ok(read, address);
  return { address: read, ...fields };
}

/** The modules of mailing lists on a database of their own, with an account that wants every event. */
export async function createMailBench() {
  const { sql } = await createDatabase();
  const clock = new AdjustableClock();
  await maintainPartitions(sql, clock.now(), { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 }, tables.partitioned);
  const ids = createIdSource(1, clock);
  const accounts = new Accounts(sql, ids, clock);
  const events = await startEvents(sql, clock, { deliver: false });
  const audit = new AuditLog(sql, ids);
  const work = workFor({ sql, clock });
  const csvJobs = new CsvJobs({
    sql,
    ids,
    clock,
    audit,
    budgets: budgetsFor({ sql, clock }),
    owner: 'bench',
    work,
  });
  const consents = new Consents({ sql, clock, secrets });
  const modules = await createMailModule({
    budgets: budgetsFor({ sql, clock }),
    questions: await Questions.open({ sql, clock, secrets }),
    ...openGate({ sql, clock, channels, accounts, consents, defaultZone: 'Asia/Jerusalem' }),
    suppressions: new Suppressions({ sql, secrets }),
    consents,
    sql,
    ids,
    clock,
    secrets,
    tokenUses: new TokenUses({ sql, log: createLogger('silent') }),
    accounts,
    events,
    csvJobs,
    work,
    base: () => BASE,
  });

  /** An account whose webhook wants every event; nothing is sent to it. */
  async function newAccount(username: string): Promise<number> {
    const { id } = await accounts.create({ username, name: `The ${username}` });
    await events.endpoints.register({ accountId: id, kind: 'webhook', url: 'http://127.0.0.1:9/hook' });
    return id;
  }

  const accountId = await newAccount('shop');

  return {
    ...modules,
    confirmations: (outbox: Parameters<typeof modules.confirmations>[0]) =>
      modules.confirmations(outbox, workFor({ sql, clock })),
    sql,
    clock,
    ids,
    accounts,
    events,
    consents,
    csvJobs,
    accountId,
    newAccount,

    async newList(settings: { confirm?: boolean; name?: string } = {}): Promise<number> {
      return (await modules.lists.create(accountId, { name: 'list', ...settings })).id;
    },

    /** Users and active users as the list says, which must be what it has. */
    async counts(listId: number): Promise<[users: number, active: number]> {
      const list = await modules.lists.get(accountId, listId);
      const [row] = await sql<{ users: number; active: number }[]>`
        SELECT count(*)::int AS users,
          (count(*) FILTER (WHERE u.status = 'active' AND NOT m.pending))::int AS active
        FROM mail_lists l JOIN mail_members m USING (account_id, filling_id)
        JOIN mail_users u ON u.account_id = m.account_id AND u.id = m.user_id WHERE l.id = ${listId}`;
      assert.deepEqual(
        [list.userCount, list.activeCount],
        [row!.users, row!.active],
        'the counts of the list',
      );
      return [list.userCount, list.activeCount];
    },

    /** The events that were recorded of an account, oldest first. */
    async happened(id = accountId): Promise<{ type: string; data: Record<string, unknown> }[]> {
      const rows = await sql<{ events: string }[]>`
        SELECT events FROM event_batches WHERE account_id = ${id} ORDER BY id`;
      return rows.flatMap(
        (row) => JSON.parse(row.events) as { type: string; data: Record<string, unknown> }[],
      );
    },
  };
}
