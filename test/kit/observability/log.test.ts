import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { createDatabase } from '../../support/database.ts';

/** What goes into the log, and what never does. */
const { sql } = await createDatabase();
await sql`CREATE TABLE logged (phone text PRIMARY KEY, said text CHECK (said <> 'a secret'), at bigint)`;

async function logged(statement: Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  await assert.rejects(statement, (err) => {
    log.error({ err }, 'it failed');
    return true;
  });
  return lines.join('');
}

test('an error of the database is logged with its code and position, and without the values of rows', async () => {
  const failed = await logged(sql`INSERT INTO logged (phone, said) VALUES ('972501234567', 'a secret')`);
  assert.match(failed, /"code":"23514"/);
  assert.match(failed, /"constraint_name":"logged_said_check"/);
  assert.match(failed, /log\.test\.ts/);
  await sql`INSERT INTO logged (phone) VALUES ('972501234567')`;
  const twice = await logged(sql`INSERT INTO logged (phone) VALUES ('972501234567')`);
  const unreadable = await logged(sql`SELECT ${'972501234567 a secret'}::text::bigint`);
  assert.match(unreadable, /"code":"22P02"/);
  for (const line of [failed, twice, unreadable]) assert.doesNotMatch(line, /972501234567|a secret/);
});

test('any other error is logged unchanged', async () => {
  const failed = await logged(Promise.reject(new TypeError('it is not so', { cause: new Error('of that') })));
  assert.match(failed, /it is not so: of that/);
});
