import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { secretKey } from '../../server/database/secret-keys.ts';
import { createDatabase } from '../support/database.ts';

const { sql, target } = await createDatabase();

test('processes that ask at once get one key, and get it again', async () => {
  const others = Array.from({ length: 4 }, () => connect(target, { max: 1 }));
  const keys = await Promise.all(others.map((other) => secretKey(other, 'test')));
  await Promise.all(others.map((other) => other.end()));
  keys.push(await secretKey(sql, 'test'));
  assert.equal(keys[0]!.length, 32);
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
});

test('each purpose has its own key', async () => {
  assert.notDeepEqual(await secretKey(sql, 'test'), await secretKey(sql, 'other'));
});

test('what is no key is not used as one', async () => {
  await sql`INSERT INTO state (key, value) VALUES ('secret-key.broken', ${sql.json('c2hvcnQ=')})`;
  await assert.rejects(secretKey(sql, 'broken'), /no usable key/);
});
