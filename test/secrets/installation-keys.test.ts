import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { installationKey } from '../../server/secrets/installation-keys.ts';
import { createDatabase } from '../support/database.ts';
import { secrets } from '../support/secrets.ts';

const { sql, target } = await createDatabase();

test('concurrent processes get one key, and get it again', async () => {
  const others = Array.from({ length: 4 }, () => connect(target, { max: 1 }));
  const keys = await Promise.all(others.map((other) => installationKey(other, secrets, 'test')));
  await Promise.all(others.map((other) => other.end()));
  keys.push(await installationKey(sql, secrets, 'test'));
  assert.equal(keys[0]!.length, 32);
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
});

test('each purpose has its own key', async () => {
  assert.notDeepEqual(
    await installationKey(sql, secrets, 'test'),
    await installationKey(sql, secrets, 'other'),
  );
});

test('what is no key is not used as one', async () => {
  const short = secrets.seal('short', 'installation_keys.sealed', 'broken');
  await sql`INSERT INTO installation_keys (purpose, sealed) VALUES ('broken', ${short})`;
  await assert.rejects(installationKey(sql, secrets, 'broken'), /no usable key/);
});
