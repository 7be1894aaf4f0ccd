import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { channels } from '../../server/channels/index.ts';
import { allSettings, ConfigError, readConfig } from '../../server/kit/config.ts';
import { environmentOfRun } from '../support/environment.ts';
import { programFile } from '../support/program.ts';
import { carillonProcess, dataFolder, inTurns } from './support.ts';

test('every setting has a meaning, and a default that it takes itself', () => {
  const config = readConfig({}, channels);
  for (const [name, { fallback, about }] of Object.entries(allSettings(channels))) {
    assert.match(about, /\.$/, name);
    if (fallback !== undefined) assert.doesNotThrow(() => readConfig({ [name]: fallback }, channels), name);
  }
  assert.equal(config.PORT, 8080);
  assert.equal(config.TRUST_PROXY, undefined);
  assert.equal(config.DATABASE_URL, undefined);
});

test('an empty value counts as unset, and surrounding white space is removed', () => {
  assert.equal(readConfig({ PORT: '', HOST: ' 0.0.0.0 ' }, channels).PORT, 8080);
  assert.equal(readConfig({ HOST: ' 0.0.0.0 ' }, channels).HOST, '0.0.0.0');
});

const wrong: [name: string, values: string[]][] = [
  ['PORT', ['abc', '-1', '65536', '80.5', 'Infinity']],
  ['PUBLIC_URL', ['example.org', 'ftp://example.org']],
  ['DATABASE_URL', ['mysql://x', 'localhost']],
  ['DATABASE_CONNECTIONS', ['1', '101', 'x']],
  ['LOG_LEVEL', ['loud']],
  ['TRUST_PROXY', ['on', 'yes', 'true', '0', '0.0.0.0/0', 'proxy.example']],
  ['HOME_COUNTRY', ['il', 'ISR', '1', 'ZZ']],
  ['TIME_ZONE', ['Nowhere', 'GMT+25']],
  ['RATE_LIMIT_ACCOUNT', ['-1', 'x']],
  ['RATE_LIMIT_ADDRESS', ['1.5']],
  ['VERIFY_SOURCES', ['maybe']],
  ['DEFAULT_PART_PRICE', ['-1', '0.12345', '1,5', '1000000', 'free']],
  ['VALIDITY_HOURS', ['0', '169']],
  ['KEEP_DAYS', ['7', 'x']],
  ['SMPP_URL', ['http://x', 'x']],
  ['SANDBOX', ['true']],
  ['SANDBOX_PUBLIC', ['true', 'auto']],
  ['SANDBOX_RECEIPT_DELAY_MS', ['-1']],
  ['SANDBOX_MESSAGES_PER_SECOND', ['x']],
  ['CARILLON_DEMO_TOKEN', ['short']],
  ['CARILLON_DEMO_PASSWORD', ['short']],
  ['WEBHOOKS_TO_PRIVATE_ADDRESSES', ['no']],
];

test('a setting that cannot be used is named, with what it may be', () => {
  for (const [name, values] of wrong) {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }, channels),
        (error: unknown) =>
          error instanceof ConfigError &&
          error.message.startsWith(`${name} must be`) &&
          !error.message.includes('\n'),
        `${name}=${value}`,
      );
    }
  }
});

test('all wrong settings are reported together, and no secret is repeated', () => {
  assert.throws(
    () =>
      readConfig(
        {
          PORT: 'x',
          LOG_LEVEL: 'y',
          CARILLON_DEMO_TOKEN: 'hush',
          DATABASE_URL: 'mysql://u:hush@x',
        },
        channels,
      ),
    (error: unknown) => {
      const { message } = error as ConfigError;
      assert.deepEqual(
        message
          .split('\n')
          .map((line) => line.split(' ')[0])
          .sort(),
        ['CARILLON_DEMO_TOKEN', 'DATABASE_URL', 'LOG_LEVEL', 'PORT'],
      );
      assert.doesNotMatch(message, /hush/);
      return true;
    },
  );
});

const secrets = mkdtempSync(join(tmpdir(), 'carillon-setting-files-'));
after(() => rmSync(secrets, { recursive: true }));

/** Writes a file with this content; its path. */
function secretFile(content: string): string {
  const path = join(secrets, String(readdirSync(secrets).length));
  writeFileSync(path, content);
  return path;
}

test('every setting can be read from the file that NAME_FILE names', () => {
  const table = allSettings(channels);
  for (const [name, { fallback }] of Object.entries(table)) {
    assert.ok(!(`${name}_FILE` in table), `${name}_FILE has two meanings`);
    if (!fallback) continue;
    const path = secretFile(`${fallback}\n`);
    const config = readConfig({ [`${name}_FILE`]: path }, channels);
    assert.deepEqual({ ...config, settingFiles: {} }, readConfig({}, channels), name);
    assert.deepEqual(config.settingFiles, { [name]: path });
  }
});

test('the line break at the end of a file is removed, and the value is checked as in the environment', () => {
  const url = 'postgres://carillon:hush@db/carillon';
  for (const end of ['', '\n', '\r\n'])
    assert.equal(readConfig({ DATABASE_URL_FILE: secretFile(url + end) }, channels).DATABASE_URL, url);
  assert.throws(() => readConfig({ PORT_FILE: secretFile('hush') }, channels), {
    message: 'PORT must be a whole number from 0 to 65535',
  });
});

test('a setting in a file that cannot be used is named, with the reason', () => {
  const file = secretFile('hush');
  const gone = join(secrets, 'gone');
  const empty = secretFile('\n');
  const cases: [Record<string, string>, string][] = [
    [
      { SECRET_KEY: 'hush', SECRET_KEY_FILE: file },
      'SECRET_KEY and SECRET_KEY_FILE are both set: remove one of them',
    ],
    [
      { SECRET_KEY_FILE: gone },
      `SECRET_KEY_FILE cannot be read: ENOENT: no such file or directory, open '${gone}'`,
    ],
    [
      { SECRET_KEY_FILE: secrets },
      'SECRET_KEY_FILE cannot be read: EISDIR: illegal operation on a directory, read',
    ],
    [{ SECRET_KEY_FILE: empty }, `SECRET_KEY_FILE names an empty file: ${empty}`],
  ];
  for (const [environment, message] of cases)
    assert.throws(
      () => readConfig(environment, channels),
      (error: unknown) => error instanceof ConfigError && error.message === message,
      message,
    );
  assert.equal(readConfig({ PORT: '81', PORT_FILE: ' ' }, channels).PORT, 81);
});

test('what is wrong stops the start with 1 and a line that names it, and nothing is left running', async () => {
  const DATA_DIR = dataFolder();
  const busy = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  const taken = String((busy.address() as AddressInfo).port);
  const cases: [Record<string, string>, string[], RegExp][] = [
    [{ PORT: 'abc' }, ['start'], /^carillon: PORT must be a whole number from 0 to 65535$/],
    [
      { DATABASE_URL: 'postgres://x:hush@127.0.0.1:1/x' },
      ['start'],
      /^carillon: the database cannot be used: .*DATABASE_URL$/,
    ],
    [
      { DATABASE_URL: 'postgres://x:hush@database.invalid/x' },
      ['migrate'],
      /^carillon: the database cannot be used: .*DATABASE_URL$/,
    ],
    [{ DATA_DIR: '/dev/null/x' }, ['start'], /^carillon: .*DATA_DIR/],
    [{ SMPP_URL: 'smpp://' }, ['start'], /^carillon: SMPP_URL/],
    [{ CARRIERS_FILE: '/no/such/file.json' }, ['start'], /^carillon: CARRIERS_FILE cannot be read/],
    [
      { SANDBOX: 'on', SMPP_URL: 'smpp://a:b@127.0.0.1:1' },
      ['start'],
      /^carillon: SANDBOX is on and a carrier is configured/,
    ],
    [{}, ['serve'], /^carillon: DATABASE_URL must be set/],
    [{}, ['serve', '--role', 'what'], /^error: .*"what" is none of api, dispatch, jobs/],
    [
      { DATA_DIR: dataFolder(), HOST: 'host.invalid', SANDBOX_PUBLIC: 'on', PORT: '0' },
      ['start'],
      /^carillon: cannot listen: .*set HOST and PORT$/,
    ],
    [{ DATA_DIR, PORT: taken }, ['start'], /^carillon: the port is in use by another program: set PORT$/],
  ];
  const outcomes = await inTurns(cases, ([environment, args]) =>
    carillonProcess({ LOG_LEVEL: 'fatal', ...environment }, ...args),
  );
  for (const [index, { code, err }] of outcomes.entries()) {
    const [environment, , words] = cases[index]!;
    const [first, ...more] = err.trimEnd().split('\n');
    assert.equal(code, 1, `${JSON.stringify(environment)}: ${err}`);
    assert.match(first!, words);
    if (first!.startsWith('carillon:')) assert.deepEqual(more, []);
    assert.doesNotMatch(err, /hush/);
  }
  busy.close();
  // The folder is free: the failed ones have taken their PostgreSQL with them.
  assert.equal((await carillonProcess({ DATA_DIR }, 'account', 'list', '--json')).code, 0);
});

test('`settings` prints a table of all of them', async () => {
  const { code, out } = await carillonProcess({}, 'settings');
  assert.equal(code, 0);
  for (const name of Object.keys(allSettings(channels))) assert.ok(out.includes(`| \`${name}\` |`), name);
});

test('a file .env in the working directory is read, unless CARILLON_DOTENV is off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-dotenv-'));
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.env'), 'PORT=many\n');
  const run = (environment: Record<string, string>) =>
    spawnSync(process.execPath, [programFile, 'account', 'list'], {
      cwd: folder,
      env: { ...environmentOfRun, DATA_DIR: join(folder, 'data'), ...environment },
      encoding: 'utf8',
    }).stderr;
  assert.match(run({}), /PORT/);
  assert.doesNotMatch(run({ CARILLON_DOTENV: 'off' }), /PORT/);
});
