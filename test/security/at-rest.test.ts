import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ChatNumbers } from '../../server/channels/chat/business-numbers.ts';
import { connect, type Sql } from '../../server/database/connection.ts';
import { migrate } from '../../server/database/migrate.ts';
import { SecretText, SecretTexts } from '../../server/engine/messages/secret-text.ts';
import { createIdSource } from '../../server/kit/ids.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { newKeyText } from '../../server/kit/text/key-text.ts';
import { createEventModule } from '../../server/run/app-context.ts';
import { installationKey } from '../../server/secrets/installation-keys.ts';
import { masterKeys } from '../../server/secrets/keys.ts';
import { openSecrets } from '../../server/secrets/open.ts';
import { countSealed, resealAll, sealPlainValues } from '../../server/secrets/reseal.ts';
import { rotateSecrets } from '../../server/secrets/rotate.ts';
import { SecretBox } from '../../server/secrets/secret-box.ts';
import { createDatabase } from '../support/database.ts';
import { createDatabaseBefore } from '../support/older-database.ts';
import { databaseUrl, Installation } from '../support/process.ts';
import { SECRET_KEY, secrets } from '../support/secrets.ts';
import { startTestService } from '../support/service.ts';
import { tables } from '../support/tables.ts';
import { waitFor } from '../support/wait-for.ts';

/* "I have a copy of the database": it must not give me a secret that I can use. */

const log = createLogger('silent');
const boxOf = (...texts: string[]) => {
  const keys = masterKeys(texts);
  const source = { keys: () => keys };
  return { source, box: new SecretBox(source), file: undefined };
};

/** Every row of every table as text, where bytes are hexadecimal digits. */
async function dump(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind = 'r'`;
  const rows = await Promise.all(
    tables.map(({ name }) => sql.unsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} AS t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

/** What a secret looks like in a dump, in whatever form somebody may have stored it. */
function formsOf(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret as string);
  const forms = [
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
  return typeof secret === 'string' ? [secret, ...forms] : forms;
}

function assertAbsent(text: string, canaries: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, secret] of Object.entries(canaries)) {
    for (const form of formsOf(secret)) assert.ok(!text.includes(form), `${name} is in the database`);
  }
}

test('no secret that the service creates or receives is in any column of any table', async () => {
  const service = await startTestService();
  const { sql, appContext, demo } = service;
  const { clock, ids, people } = appContext;
  const events = createEventModule(appContext, { allowPrivate: true, deliver: false });
  const hook = await events.endpoints.register({
    accountId: demo.id,
    kind: 'webhook',
    url: 'http://127.0.0.1:9/a',
  });
  const rotated = await events.endpoints.rotateSecret(demo.id, hook.id);
  assert.equal(rotated.old_secret, hook.secret);
  const numbers = new ChatNumbers({ sql, ids, clock, secrets: appContext.secrets });
  const accessToken = 'EAAG-canary-of-the-chat-platform';
  const portfolio = await numbers.createPortfolio({
    accountId: demo.id,
    name: 'Canary',
    tier: 250,
    platformId: '7001',
    accessToken,
  });
  const password = 'the canary password of a person';
  const person = (await people.people.byUsername('demo'))!;
  await people.signIns.setPassword(person, password, async () => {});
  const { secret } = await people.credentials.proposeSecondFactor(
    { id: 0, person, proofAgeMs: null, provider: undefined },
    password,
    {
      address: '::1',
      agent: '',
    },
  );
  const [row] = await sql<{ totp_secret: Buffer }[]>`SELECT totp_secret FROM people WHERE id = ${person.id}`;
  const seed = appContext.secrets.open(row!.totp_secret, 'people.totp_secret', person.id);
  const keys = await Promise.all(
    ['otp', 'mail-codes', 'mail-marks', 'link-codes'].map(async (purpose) => [
      `the key ${purpose}`,
      await installationKey(sql, appContext.secrets, purpose),
    ]),
  );
  const { token } = await appContext.tokens.mint(demo.id, { label: 'canary' });
  const link = await people.people.reset(demo.id, person.id, { secondFactor: false });
  const bytesOf = (webhookSecret: string) => Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
  assertAbsent(await dump(sql), {
    'the secret of a webhook': hook.secret!,
    'the bytes of a webhook secret': bytesOf(hook.secret!),
    'the new secret of a webhook': bytesOf(rotated.secret!),
    'the token of the chat platform': accessToken,
    'the seed of a second factor': seed,
    'the seed as it is typed': secret,
    'a password': password,
    'an API token': token,
    'a password link': link!.token,
    'the secret key': SECRET_KEY,
    ...Object.fromEntries(keys),
  });
  await numbers.reload();
  assert.equal((await numbers.portfolio(portfolio.id))!.accessToken, accessToken);
  assert.equal(
    (await events.endpoints.list(demo.id)).find(({ id }) => id === hook.id)!.secret,
    rotated.secret,
  );
});

test('a database of an older version: its plain secrets are sealed by the first start, also out of the pages of the tables', async () => {
  const { sql, target } = await createDatabaseBefore(22);
  const [seed, key, whsec, token] = [
    randomBytes(20),
    randomBytes(32),
    `whsec_${newKeyText()}`,
    'plain-access-token',
  ];
  await sql`INSERT INTO accounts (id, username, name, created_at) VALUES (1, 'a', 'A', 0)`;
  await sql`INSERT INTO state VALUES ('secret-key.otp', ${sql.json(key.toString('base64'))})`;
  for (let id = 1; id <= 450; id++) {
    await sql`INSERT INTO people (id, account_id, username, name, role, totp_secret, created_at)
      VALUES (${id}, 1, ${`p${id}`}, 'P', 'owner', ${seed}, 0)`;
  }
  await sql`INSERT INTO event_endpoints (id, account_id, kind, url, secret, old_secret, created_at, changed_at)
    VALUES (1, 1, 'webhook', 'http://a', ${whsec}, ${whsec}, 0, 0), (2, 1, 'dlr', 'http://a', NULL, NULL, 0, 0)`;
  await sql`INSERT INTO chat_portfolios (id, account_id, name, tier, platform_id, access_token, created_at)
    VALUES (1, 1, 'P', 250, '1', ${token}, 0)`;
  await migrate(sql, tables);
  // Two processes that start at once, beside a transaction that has written and is between two statements.
  const other = connect(target);
  const written = Promise.withResolvers<void>();
  const isOver = Promise.withResolvers<void>();
  const writing = other.begin(async (tx) => {
    await tx`UPDATE accounts SET name = 'B'`;
    written.resolve();
    await isOver.promise;
  });
  await written.promise;
  const sealing = Promise.all([
    sealPlainValues(sql, tables.sealedColumns, secrets, log),
    sealPlainValues(other, tables.sealedColumns, secrets, log),
  ]);
  await waitFor('they wait for it', async () => {
    const waiting = await sql`
      SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%age(backend_xmin)%'`;
    const over = await sql`SELECT FROM state WHERE key = 'secrets-plain'`;
    return waiting.length > 0 || over.length === 0;
  });
  // One that begins now keeps what the writing one may see, also when that is over.
  const reader = connect(target);
  const isRead = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const reading = reader.begin(async (tx) => {
    await tx`DECLARE people_then CURSOR FOR SELECT FROM people`;
    read.resolve();
    await isRead.promise;
  });
  await read.promise;
  isOver.resolve();
  await writing;
  const [{ ended }] = await sql<[{ ended: string }]>`SELECT clock_timestamp()::text AS ended`;
  const looks = new Map<number, Set<string>>();
  await waitFor('they wait for it, or do not', async () => {
    const waiting = await sql<{ pid: number; at: string }[]>`
      SELECT pid, query_start::text AS at FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND query LIKE '%age(backend_xmin)%' AND query_start > ${ended}::timestamptz`;
    for (const { pid, at } of waiting) looks.set(pid, (looks.get(pid) ?? new Set()).add(at));
    const over = await sql`SELECT FROM state WHERE key = 'secrets-plain'`;
    // A second look comes only after one that has found it.
    return [...looks.values()].some((times) => times.size > 1) || over.length === 0;
  });
  isRead.resolve();
  await Promise.all([sealing, reading]);
  await Promise.all([other.end(), reader.end()]);
  await sealPlainValues(sql, tables.sealedColumns, secrets, log);

  const canaries = { seed, key, whsec, token, bytes: Buffer.from(whsec.slice(6), 'base64') };
  assertAbsent(await dump(sql), canaries);
  await sql`CHECKPOINT`;
  for (const table of ['people', 'event_endpoints', 'chat_portfolios', 'installation_keys', 'state']) {
    const [file] = await sql<{ bytes: Buffer }[]>`
      SELECT pg_read_binary_file(pg_relation_filepath(${table}::regclass)) AS bytes`;
    for (const [name, secret] of Object.entries(canaries)) {
      assert.ok(!file!.bytes.includes(secret), `${name} is in the pages of ${table}`);
    }
  }
  const people = await sql<{ id: number; totp_secret: Buffer }[]>`SELECT id, totp_secret FROM people`;
  for (const row of people) {
    assert.deepEqual(secrets.open(row.totp_secret, 'people.totp_secret', row.id), seed);
  }
  assert.deepEqual(await installationKey(sql, secrets, 'otp'), key);
  const [endpoint, push] = await sql<{ secret: Buffer | null; old_secret: Buffer | null }[]>`
    SELECT secret, old_secret FROM event_endpoints ORDER BY id`;
  assert.equal(secrets.openText(endpoint!.secret!, 'event_endpoints.secret', 1), whsec);
  assert.equal(secrets.openText(endpoint!.old_secret!, 'event_endpoints.secret', 1), whsec);
  assert.equal(push!.secret, null);
  const numbers = new ChatNumbers({
    sql,
    ids: createIdSource(1, { now: Date.now }),
    clock: { now: Date.now },
    secrets,
  });
  assert.equal((await numbers.portfolio(1))!.accessToken, token);
});

test('a rotation while everything is in use: each value is readable throughout, and none is left under the old key', async () => {
  const { sql } = await createDatabase();
  const [oldKey, newKey] = [newKeyText(), newKeyText()];
  const service = boxOf(oldKey, newKey);
  const command = boxOf(newKey, oldKey);
  for (const purpose of Array.from({ length: 450 }, (_, index) => `purpose-${index}`)) {
    await installationKey(sql, service.box, purpose);
  }
  const before = await installationKey(sql, service.box, 'purpose-7');
  let rotating = true;
  let reads = 0;
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, worker) => {
      for (let n = 0; rotating; n++) {
        assert.deepEqual(await installationKey(sql, service.box, 'purpose-7'), before);
        await installationKey(sql, service.box, `new-${worker}-${n}`);
        reads++;
      }
    }),
  );
  const columns = tables.sealedColumns;
  const parts = { ...command, sql, columns, boot: 'the command', patienceMs: 0 };
  const [one, two] = await Promise.all([
    resealAll(sql, tables.sealedColumns, command.box),
    resealAll(sql, tables.sealedColumns, command.box),
  ]);
  assert.ok(one + two >= 450);
  await waitFor('the service has worked beside it', () => reads > 20);
  rotating = false;
  await load;
  const { keyId, retired } = await rotateSecrets(parts);
  assert.equal(keyId, command.box.keyId);
  assert.deepEqual(retired, [service.box.keyId]);
  assert.deepEqual(
    new Set((await countSealed(sql, tables.sealedColumns)).map((row) => row.keyId)),
    new Set([keyId]),
  );
  assert.deepEqual(await installationKey(sql, boxOf(newKey).box, 'purpose-7'), before);
});

test('a rotation does not take a value away from a process that keeps the old key', async () => {
  const { sql } = await createDatabase();
  const [oldKey, newKey] = [newKeyText(), newKeyText()];
  const old = boxOf(oldKey);
  await installationKey(sql, old.box, 'otp');
  await sql`INSERT INTO processes (number, boot, seen_at, key_ids)
    VALUES (5, 'other', ${Date.now()}, ${[old.box.keyId]}::text[])`;
  const columns = tables.sealedColumns;
  const parts = { ...boxOf(newKey, oldKey), sql, columns, boot: 'the command', patienceMs: 0 };
  await assert.rejects(rotateSecrets(parts), /process 5/);
  await installationKey(sql, old.box, 'otp');
});

test('a process with another key, or without the key file, does not start, and says what to do', async () => {
  const { sql, target } = await createDatabase();
  const installation = new Installation({ DATABASE_URL: databaseUrl(target), SECRET_KEY: newKeyText() });
  const first = await installation.start({ args: ['serve', '--role', 'api'] });
  const vain = async (environment: Record<string, string>) => {
    const other = new Installation({
      DATABASE_URL: databaseUrl(target),
      SMPP_URL: 'smpp://a:b@127.0.0.1:9',
      ...environment,
    });
    const { code, output } = await other.startInVain();
    assert.equal(code, 1, output);
    return output;
  };
  assert.match(
    await vain({ SECRET_KEY: newKeyText() }),
    /^carillon: secrets .*every process needs the same key.*SECRET_KEY_PREVIOUS/m,
  );
  assert.match(
    await vain({ SECRET_KEY: '' }),
    /^carillon: secrets .*has no key: set SECRET_KEY.*restore .*secret\.key/m,
  );
  await first.stop();
  assert.equal((await sql`SELECT 1 FROM processes WHERE seen_at > ${Date.now() - 60_000}`).length, 0);
});

test('the key file is created once for its owner, rotated while the service runs, and required by the next start', async () => {
  const installation = new Installation({ SECRET_KEY: '' });
  const path = join(installation.folder, 'secret.key');
  const program = await installation.start({ environment: { SANDBOX: 'on' }, ready: false });
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  const before = readFileSync(path, 'utf8');
  interface Status {
    newest: string;
    left: number;
    processes: { keys: string[] }[];
  }
  const status = () => installation.command<Status>('secrets', 'status');
  const { newest } = await status();
  const rotation = await installation.command<{ key: string; resealed: number; retired: string[] }>(
    'secrets',
    'rotate',
  );
  assert.deepEqual(rotation.retired, [newest]);
  assert.ok(rotation.resealed >= 4);
  const after = await status();
  assert.deepEqual([after.newest, after.left], [rotation.key, 0]);
  assert.equal(after.processes[0]!.keys[0], rotation.key);
  assert.notEqual(readFileSync(path, 'utf8'), before);
  await program.stop();
  rmSync(path);
  const { output } = await installation.startInVain();
  assert.match(
    output,
    /^carillon: secrets in the database are sealed under the key .*restore .*secret\.key from its copy/m,
  );
  assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);
});

test('of two processes that first start concurrently with keys of their own, one does not start', async () => {
  const { sql } = await createDatabase();
  const config = (SECRET_KEY_: string) => ({
    SECRET_KEY: SECRET_KEY_,
    SECRET_KEY_PREVIOUS: undefined,
    DATA_DIR: '/nonexistent',
    DATABASE_URL: 'postgres://x',
  });
  const outcomes = await Promise.allSettled([
    openSecrets(sql, config(newKeyText()), log),
    openSecrets(sql, config(newKeyText()), log),
  ]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('settings that are no keys are refused by name and not repeated', async () => {
  const installation = new Installation({ SECRET_KEY: 'too-short-canary' });
  const { code, output } = await installation.startInVain();
  assert.equal(code, 1);
  assert.match(output, /SECRET_KEY must be 32 bytes or more in base64/);
  assert.ok(!output.includes('canary'));
});

test('a text with a secret that waits to be sent outlives a rotation of the key', async () => {
  const { sql } = await createDatabase();
  const [oldKey, newKey] = [newKeyText(), newKeyText()];
  const texts = new SecretTexts(boxOf(oldKey).box);
  const id = createIdSource(1, { now: Date.now }).next();
  await sql`
    INSERT INTO messages (account_id, id, shipment_id, batch_id, recipient, source, payload, parts, price, secret_text)
    VALUES (1, ${id}, 1, 1, '972501234567', 'A', '', 1, 1, ${texts.seal(
      1,
      id,
      SecretText.of('123456', (code) => code),
    )})`;
  await resealAll(sql, tables.sealedColumns, boxOf(newKey, oldKey).box);
  const [row] = await sql<{ secret_text: Buffer }[]>`SELECT secret_text FROM messages WHERE id = ${id}`;
  assert.equal(new SecretTexts(boxOf(newKey).box).open(1, id, row!.secret_text), '123456');
});
