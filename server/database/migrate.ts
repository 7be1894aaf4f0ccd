import { readdir, readFile } from 'node:fs/promises';
import type { Queryable, Sql } from './connection.ts';
import { distributeNewTables } from './distribution.ts';

const folder = new URL('./migrations/', import.meta.url);
// An arbitrary number that only migrations lock on.
const LOCK = 20_25_01_01;
// A migration may rewrite a table of a hundred million rows.
const DEADLINE_MS = 6 * 3_600_000;

/** A migration on disk. */
interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: string;
}

/** The migrations in the order of their numbers. Throws when two have the same number or a file is misnamed. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
      if (!match || files[index - 1]?.startsWith(match[1]!)) {
        throw new Error(`migration ${file} is misnamed, or has the number of another`);
      }
      return {
        number: Number(match[1]),
        name: match[2]!,
        statements: await readFile(new URL(file, folder), 'utf8'),
      };
    }),
  );
}

/**
 * Brings the database to the newest schema, each migration in a transaction of its own. Two processes that start
 * at once take turns: the second finds the work done. Tables that are new in a distributed database are distributed. Returns how many migrations were applied. Throws when the
 * database was written by a newer version of the program.
 */
export async function migrate(sql: Sql): Promise<number> {
  const migrations = await readMigrations();
  const connection = await sql.reserve({ deadlineMs: DEADLINE_MS });
  try {
    await connection`SELECT pg_advisory_lock(${LOCK})`;
    await connection`
      CREATE TABLE IF NOT EXISTS migrations (
        number smallint NOT NULL CONSTRAINT migrations_pkey PRIMARY KEY,
        name text NOT NULL,
        applied_at bigint NOT NULL
      )`;
    const rows = await connection<{ number: number }[]>`SELECT number FROM migrations`;
    const applied = new Set(rows.map(({ number }) => number));
    const [last, known] = [Math.max(0, ...applied), migrations.at(-1)?.number ?? 0];
    if (last > known) {
      throw new Error(
        `the database is at migration ${last}, this version of Carillon knows ${known}: start a newer version`,
      );
    }
    // Not only those after the last one: branches that were merged in another order bring lower numbers later.
    const missing = migrations.filter(({ number }) => !applied.has(number));
    for (const migration of missing) {
      await apply(connection, migration).catch(async (error: unknown) => {
        await connection.unsafe('ROLLBACK');
        throw new Error(`migration ${migration.number} (${migration.name}) failed`, { cause: error });
      });
    }
    if (missing.length > 0) await distributeNewTables(connection);
    await connection`SELECT pg_advisory_unlock(${LOCK})`;
    return missing.length;
  } finally {
    connection.release();
  }
}

/** Statement by statement: Citus passes the text that it was sent on to the nodes, which take one statement in it. */
async function apply(connection: Queryable, { number, name, statements }: Migration): Promise<void> {
  await connection.unsafe('BEGIN');
  for (const statement of statementsIn(statements)) await connection.unsafe(statement);
  await connection`INSERT INTO migrations VALUES (${number}, ${name}, ${Date.now()})`;
  await connection.unsafe('COMMIT');
}

/** A comment, a text, a name in quotes, the end of a statement, a run of what is none of these, or any other character. */
const TOKEN = /--[^\n]*|'[^']*'|"[^"]*"|\$\$[^$]*\$\$|;|[^-'"$;]+|[^;]/g;

/** The statements of a script, without the comments around and in them. */
export function statementsIn(script: string): string[] {
  const statements = [''];
  for (const [token] of script.matchAll(TOKEN)) {
    if (token === ';') statements.push('');
    else if (!token.startsWith('--')) statements[statements.length - 1] += token;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}
