import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DueRows } from '../../server/database/due-look.ts';
import { jobsOf } from '../../server/run/jobs.ts';
import { modules } from '../../server/run/module-list.ts';
import { openModules } from '../../server/run/modules.ts';
import { startTestService } from '../support/service.ts';
import { tables } from '../support/tables.ts';

/*
 * One query asks for the work of all jobs. On a distributed PostgreSQL the nodes answer it, which have the tables by account alone:
 * one other table, and nobody finds work.
 */

const service = await startTestService({ sandbox: false });
const { sql } = service;
const jobs = jobsOf(modules, await openModules(service.appContext, ['api', 'jobs'], undefined));
const byAccount = new Set(
  tables.placements.filter(({ column }) => column === 'account_id').map(({ table }) => table),
);

/** The tables of rows, as their statement names them. */
async function tablesOf(rows: DueRows): Promise<string[]> {
  const texts: string[] = [];
  const { observe } = sql.options;
  sql.options.observe = (text) => void texts.push(text);
  await sql`SELECT 'due rows' AS of ${rows} LIMIT 1`;
  sql.options.observe = observe;
  const text = texts.find((one) => one.includes("'due rows'"))!;
  return [...text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)].map(([, name]) => name!);
}

for (const { owner, due, dueOnCoordinator } of jobs) {
  if (due)
    test(`${owner}: the nodes have the tables of its rows`, async () => {
      for (const rows of due())
        for (const table of await tablesOf(rows))
          assert.ok(byAccount.has(table), `${table} is not by account`);
    });
  if (dueOnCoordinator)
    test(`${owner}: the coordinator has the tables of its rows`, async () => {
      for (const rows of dueOnCoordinator())
        for (const table of await tablesOf(rows)) assert.ok(!byAccount.has(table), `${table} is by account`);
    });
}
