import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startExternalPostgres } from '../support/pg-tools.ts';
import { programFile } from '../support/program.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { carillon, carillonProcess, dataFolder } from './support.ts';

/* Backups of a database of DATABASE_URL and of compose, as docs/operating.md writes and restores them. */

const folder = mkdtempSync(join(tmpdir(), 'carillon-dumps-'));
after(() => rmSync(folder, { recursive: true }));
const postgres = await startExternalPostgres();
const settings = {
  DATABASE_URL: postgres.url('carillon'),
  DATA_DIR: dataFolder({ empty: true }),
  SECRET_KEY,
  LOG_LEVEL: 'error',
};
const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

/** Programs of the recipes: `carillon`, and `docker compose` with its containers on this machine. */
const PROGRAMS = `
carillon() { "${process.execPath}" "${programFile}" "$@"; }
docker() {
  case "$2 $3 \${4-}" in
    'exec -T postgres') shift 4; "$@" ;;
    'exec -T carillon') shift 6; carillon "$@" ;;
    'stop carillon '|'start carillon ') ;;
    *) echo "not expected: docker $*" >&2; return 1 ;;
  esac
}
`;

/** Runs the block of the page that is marked with this name. */
function follow(recipe: string): void {
  const block = new RegExp(`^\`\`\`sh backup=${recipe}\\n([^]*?)\\n\`\`\`$`, 'm').exec(page)![1]!;
  const script = PROGRAMS + block.replaceAll('/backups', folder);
  const { status, stderr } = spawnSync('sh', ['-eu', '-c', script], {
    encoding: 'utf8',
    cwd: folder,
    env: {
      ...settings,
      PATH: process.env.PATH,
      PGHOST: postgres.host,
      RESTORED_URL: postgres.url('restored'),
    },
  });
  assert.equal(status, 0, `${recipe}: ${stderr}`);
}

const usernames = async (database: string) => {
  const { out, err, code } = await carillon(
    { ...settings, DATABASE_URL: postgres.url(database) },
    'account',
    'list',
    '--json',
  );
  assert.equal(code, 0, err);
  return (JSON.parse(out) as { username: string }[]).map(({ username }) => username).toSorted();
};

test('a dump of DATABASE_URL is restored into an empty database, and its secrets open with the same key alone', async () => {
  const migrated = await carillonProcess(settings, 'migrate');
  assert.equal(migrated.code, 0, migrated.err);
  assert.equal((await carillon(settings, 'account', 'create', 'acme', '--json')).code, 0);
  follow('dump');
  const doctor = await carillon(settings, 'doctor', '--only', 'backups', '--json');
  assert.match(doctor.out, new RegExp(`${hostname()}:${folder}/carillon-`));
  follow('restore');
  assert.deepEqual(await usernames('restored'), ['acme']);
  const other = { ...settings, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
  const refused = await carillon({ ...other, DATABASE_URL: postgres.url('restored') }, 'account', 'list');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /every process needs the same key/);
});

test('a dump of the PostgreSQL of compose brings its state back', async () => {
  mkdirSync(join(folder, 'deploy/compose/secrets'), { recursive: true });
  writeFileSync(join(folder, 'deploy/compose/secrets/secret_key'), SECRET_KEY);
  follow('compose-dump');
  assert.equal(readFileSync(join(folder, 'secret_key'), 'utf8'), SECRET_KEY);
  assert.equal((await carillon(settings, 'account', 'create', 'later', '--json')).code, 0);
  follow('compose-restore');
  assert.deepEqual(await usernames('carillon'), ['acme']);
});
