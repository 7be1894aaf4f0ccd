import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newKeyText, readKeyText } from '../../server/kit/text/key-text.ts';
import { KeyFile } from '../../server/secrets/key-file.ts';
import { masterKeys } from '../../server/secrets/keys.ts';
import { keyIdOf, SEAL_OVERHEAD, SealedValueError, SecretBox } from '../../server/secrets/secret-box.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-secrets-'));
after(() => rmSync(folder, { recursive: true }));
const boxOf = (...texts: string[]) => {
  const keys = masterKeys(texts);
  return new SecretBox({ keys: () => keys });
};
const [first, second] = [newKeyText(), newKeyText()];

test('a value comes back for its purpose and row, and for nothing else', () => {
  const box = boxOf(first);
  const sealed = box.seal('שלום', 'people.totp_secret', 7);
  assert.equal(box.openText(sealed, 'people.totp_secret', 7), 'שלום');
  assert.equal(sealed.length, SEAL_OVERHEAD + Buffer.byteLength('שלום'));
  assert.throws(() => box.open(sealed, 'people.totp_secret', 8), SealedValueError);
  assert.throws(() => box.open(sealed, 'event_endpoints.secret', 7), SealedValueError);
});

test('equal values look different, and nothing of them shows', () => {
  const box = boxOf(first);
  const sealed = [box.seal('a secret value', 'test'), box.seal('a secret value', 'test')];
  assert.notDeepEqual(sealed[0], sealed[1]);
  for (const value of sealed) assert.ok(!value.includes('secret'));
});

test('no bit can be changed, and no byte left away', () => {
  const box = boxOf(first);
  const sealed = box.seal('x', 'test');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => box.open(changed, 'test'), SealedValueError);
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => box.open(sealed.subarray(0, length), 'test'), SealedValueError);
  }
});

test('the first key seals, every key opens, and a missing key is named', () => {
  const old = boxOf(first).seal('x', 'test');
  const both = boxOf(second, first);
  assert.equal(both.openText(old, 'test'), 'x');
  const fresh = both.seal('y', 'test');
  assert.equal(keyIdOf(fresh), both.keyId);
  assert.throws(() => boxOf(first).open(fresh, 'test'), new RegExp(both.keyId));
});

test('a key has 32 bytes or more in base64', () => {
  assert.equal(readKeyText(first)!.length, 32);
  assert.equal(readKeyText(Buffer.alloc(48, 1).toString('base64url'))!.length, 48);
  for (const bad of ['', 'x', Buffer.alloc(31).toString('base64'), `${first} ${second}`, 'ä'.repeat(50)]) {
    assert.equal(readKeyText(bad), undefined);
  }
});

test('the key file is for its owner alone, and a rotation is seen without a restart', async () => {
  const path = join(folder, 'data', 'secret.key');
  const file = KeyFile.create(path);
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  const box = new SecretBox(file);
  const sealed = box.seal('x', 'test');
  const before = box.keyId;
  KeyFile.open(path)!.addKey();
  await waitFor('the new key seals', () => box.keyId !== before);
  assert.equal(box.openText(sealed, 'test'), 'x');
  KeyFile.open(path)!.dropKeys(new Set([before, box.keyId]));
  await waitFor('the old key is gone', () => file.keys().length === 1);
  assert.notEqual(box.keyId, before);
});

test('two processes that create the file concurrently have the same key', () => {
  const path = join(folder, 'twice', 'secret.key');
  const [one, other] = [KeyFile.create(path), KeyFile.create(path)];
  assert.equal(one.keys()[0]!.id, other.keys()[0]!.id);
});

test('a key file that others can read or that holds no keys is refused, with what to do', () => {
  const path = join(folder, 'open.key');
  writeFileSync(path, readFileSync(KeyFile.create(join(folder, 'good.key')).path), { mode: 0o644 });
  if (process.platform !== 'win32') assert.throws(() => KeyFile.open(path), /chmod 600/);
  const broken = join(folder, 'broken.key');
  writeFileSync(broken, 'not a key\n', { mode: 0o600 });
  assert.throws(() => KeyFile.open(broken), /restore it/);
  assert.equal(KeyFile.open(join(folder, 'absent.key')), undefined);
});
