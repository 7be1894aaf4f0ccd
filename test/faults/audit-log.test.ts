import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { waitingStatements } from '../support/lock-waits.ts';
import { withLockedTables } from '../support/locked-tables.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The database ends the session that writes the audit log entry of a change, after the change was committed. */

const service = await startTestService({ settings: { LOG_LEVEL: 'silent' } });

test('a committed change is in the audit log once, although the database ended the session that wrote its entry', async () => {
  const { sql } = service;
  const { answer } = await withLockedTables(sql, ['audit_log'], 'EXCLUSIVE', async (tx) => {
    const created = withToken(service.url, DEMO_TOKEN).post<{ id: string }>('/contact-lists', {
      name: 'Kept',
    });
    const isWriting = async () =>
      (await waitingStatements(sql)).some((statement) => statement.includes('INSERT INTO audit_log'));
    await waitFor('the entry is being written', isWriting);
    const [ended] = await tx<{ count: number }[]>`
      SELECT count(pg_terminate_backend(pid))::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO audit_log%'`;
    assert.equal(ended!.count, 1);
    await waitFor('the entry is written again', isWriting);
    return { answer: created };
  });
  const { id } = await answer;
  const rows = await sql<{ status: number }[]>`
    SELECT status FROM audit_log WHERE action = 'POST /v1/contact-lists' AND account_id = ${service.demo.id}`;
  assert.deepEqual([rows.map(({ status }) => status), id.length > 0], [[200], true]);
});
