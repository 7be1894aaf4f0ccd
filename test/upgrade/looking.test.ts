import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import { nameOf } from '../../server/commands/audited.ts';
import { manageCommands } from '../../server/commands/manage.ts';
import { connect } from '../../server/database/connection.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { readMigrations } from '../../server/database/migration-files.ts';
import { maintainPartitions } from '../../server/database/partitions.ts';
import { releasesOn, releasesTable } from '../../server/database/releases.ts';
import { carillon, carillonProcess, dataFolder } from '../commands/support.ts';
import { createDatabase, createEmptyDatabase } from '../support/database.ts';
import { dump, dumpSchema } from '../support/dump.ts';
import { createDatabaseBefore, makePartitionsBefore } from '../support/older-database.ts';
import { databaseUrl } from '../support/process.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { tables } from '../support/tables.ts';
import { history, unpackData } from './release.ts';

/* "I only wanted to look": no command but `start`, `serve` and `migrate` changes the schema of a database. */

interface Report {
  readonly checks: readonly {
    readonly name: string;
    readonly findings: readonly { readonly state: string; readonly found: string; readonly todo: string }[];
  }[];
}

const migrations = await readMigrations();

const older = await createDatabaseBefore(19);
await makePartitionsBefore(older.sql, Date.now());
await older.sql`INSERT INTO state (key, value) VALUES ('sandbox.clock-offset', '0')`;
const settings = (url: string) => ({
  DATABASE_URL: url,
  DATA_DIR: dataFolder(),
  SECRET_KEY,
  LOG_LEVEL: 'error',
});
const olderSettings = settings(databaseUrl(older.target));

const folder = mkdtempSync(join(tmpdir(), 'carillon-looking-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const routesFile = join(folder, 'routes.json');
writeFileSync(routesFile, '{"routes":[]}');

/** Every command that works on the database, with an argument for each that it needs. */
function commands(): { name: string; args: string[] }[] {
  const program = new Command('carillon').exitOverride();
  manageCommands(program);
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  return leaves(program).map((command) => {
    const needed = command.registeredArguments
      .filter(({ required }) => required)
      .map((one) =>
        /account|username/.test(one.name()) ? 'acme' : one.name() === 'file' ? routesFile : '2000',
      );
    const options = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, '1']);
    return { name: nameOf(command), args: [...nameOf(command).split(' '), ...needed, ...options] };
  });
}

/** A restore works on an empty data folder and has no database yet. */
const withoutDatabase = ['restore'];

test('every command refuses an older schema in one sentence and changes nothing, but the doctor, which reports it', async () => {
  const before = await dump(older.sql);
  for (const { name, args } of commands()) {
    if (withoutDatabase.includes(name)) continue;
    const more = ['secrets discard', 'routes apply'].includes(name) ? ['--yes'] : [];
    const { code, err } = await carillon(olderSettings, ...args, ...more);
    if (name !== 'doctor') {
      assert.equal(code, 1, name);
      assert.match(
        err,
        /^carillon: the database has the schema of migration 18, .*`carillon migrate` applies them\n$/,
        name,
      );
    }
    assert.deepEqual(await dump(older.sql), before, name);
  }
});

test('every command leaves the schema of this version as it is', async () => {
  const { sql, target } = await createDatabase();
  // Its template may be of yesterday, and a command makes the partition of a day that has begun since then.
  await maintainPartitions(sql, Date.now(), { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 }, tables.partitioned);
  const before = await dumpSchema(sql);
  for (const { args } of commands()) {
    await carillon(settings(databaseUrl(target)), ...args);
    assert.deepEqual(await dumpSchema(sql), before, args.join(' '));
  }
});

test('a database without a schema gets none from a command that is not to make one', async () => {
  const { sql, target } = await createEmptyDatabase();
  const { code, err } = await carillon(settings(databaseUrl(target)), 'account', 'create', 'acme');
  assert.equal(code, 1);
  assert.match(err, /no schema yet: start the service, or run `carillon migrate`/);
  assert.deepEqual(await dumpSchema(sql), []);
  const folder = dataFolder({ empty: true });
  const { err: embedded } = await carillon({ DATA_DIR: folder }, 'account', 'list');
  assert.match(embedded, /has no database yet: start the service, run `carillon migrate`/);
});

test('the doctor looks at the data of the last release, skips what needs newer tables, and changes nothing', async () => {
  const folder = dataFolder({ empty: true });
  await unpackData(folder);
  const embedded = await startEmbedded(folder);
  const sql = connect(embedded.target, { max: 2 });
  after(async () => {
    await sql.end();
    await embedded.stop();
  });
  const before = await dump(sql);
  const { out, err } = await carillon({ DATA_DIR: folder, SECRET_KEY }, 'doctor', '--json');
  const { checks } = JSON.parse(out) as Report;
  const of = (name: string) => checks.find((check) => check.name === name)!.findings;
  const [schema] = of('schema');
  assert.equal(schema!.state, 'warn', err);
  assert.match(schema!.found, new RegExp(`migration ${history.migration}; this version brings`));
  assert.match(
    schema!.todo,
    /carillon migrate.*a running process of version 0\.1\.0 works on, and does not start again/,
  );
  assert.deepEqual(
    of('people').map(({ state }) => state),
    ['skip'],
  );
  assert.equal(of('disk')[0]!.state === 'skip', false);
  assert.deepEqual(await dump(sql), before);
});

test('the doctor writes nothing into a database of this version', async () => {
  const { sql, target } = await createDatabase();
  const before = await dump(sql);
  const { out } = await carillon(
    settings(databaseUrl(target)),
    'doctor',
    '--json',
    '--only',
    'schema',
    'secrets',
    'people',
  );
  assert.equal((JSON.parse(out) as Report).checks[0]!.findings[0]!.state, 'ok');
  assert.deepEqual(await dump(sql), before);
});

test('`migrate --dry-run` lists the migrations and the versions that can run afterwards; `migrate` applies them', async () => {
  const before = await dump(older.sql);
  const planned = await carillonProcess(olderSettings, 'migrate', '--dry-run', '--json');
  assert.deepEqual(await dump(older.sql), before);
  assert.deepEqual(JSON.parse(planned.out), {
    dry_run: true,
    from: 18,
    to: migrations.at(-1)!.number,
    migrations: migrations.filter(({ number }) => number > 18).map(({ number, name }) => ({ number, name })),
    releases: [{ version: '0.1.0', runs: true, starts: false }],
  });
  const words = await carillonProcess(olderSettings, 'migrate', '--dry-run');
  assert.match(words.out, /^would change the schema from migration 18 to \d+:\n {2}0019 /);
  assert.match(words.out, /afterwards:\n {2}a running process of version 0\.1\.0 works on/);
  const done = await carillonProcess(olderSettings, 'migrate');
  assert.match(done.out, /the schema is up to date/, done.err);
  assert.notDeepEqual((await dump(older.sql)).schema, before.schema);
});

test('the stored release is in the table of releases, which docs/operating.md has', () => {
  const [stored] = releasesOn(history.migration, 0).filter(({ version }) => version === history.version);
  assert.deepEqual(stored, { version: history.version, runs: true, starts: true });
  assert.ok(readFileSync('docs/operating.md', 'utf8').includes(releasesTable(migrations)));
});
