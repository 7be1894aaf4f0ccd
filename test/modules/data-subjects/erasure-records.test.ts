import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { idFloor } from '../../../server/kit/ids.ts';
import { copyRecords, ErasureRecords } from '../../../server/modules/data-subjects/erasure-records.ts';
import { masterKeys } from '../../../server/secrets/keys.ts';
import { SealedValueError, SecretBox } from '../../../server/secrets/secret-box.ts';

/* Records of erasures as files: sealed, copied, sealed anew, and deleted when no backup is as old. */

const parent = mkdtempSync(join(tmpdir(), 'carillon-records-'));
after(() => rmSync(parent, { recursive: true }));
const folder = join(parent, 'erasures');
const boxOf = (...names: string[]) => {
  const keys = masterKeys(names.map((name) => Buffer.alloc(32, name).toString('base64')));
  return new SecretBox({ keys: () => keys });
};
const [oldBox, bothBox, newBox] = [boxOf('old'), boxOf('new', 'old'), boxOf('new')];
const recordsBy = (secrets: SecretBox, at = folder) => new ErasureRecords({ folder: at, secrets });

const NOW = Date.UTC(2026, 10, 23);
const DAY_MS = 86_400_000;
const recordOf = (ageDays: number) => ({
  accountId: 7,
  id: idFloor(NOW - ageDays * DAY_MS),
  subject: { phones: ['972501234567'], addresses: ['dana@example.com'], chatIds: [] },
  reference: 'case 7',
  personId: 3,
  username: 'keren',
  createdAt: NOW - ageDays * DAY_MS,
});

test('a record is read as it was written, by its owner alone, and for no other request', async () => {
  const records = recordsBy(oldBox);
  assert.deepEqual(await records.requests(), [], 'without a folder there is none');
  const record = recordOf(1);
  await records.add(record);
  await records.add(record);
  const { accountId, id } = record;
  assert.deepEqual(await records.requests(), [{ accountId, id }]);
  assert.deepEqual(await records.read({ accountId, id }), record);
  const name = `${accountId}-${id}.erasure`;
  assert.deepEqual(readdirSync(folder), [name]);
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(await records.read({ accountId, id: id + 1 }), undefined);
  copyFileSync(join(folder, name), join(folder, `8-${id}.erasure`));
  await assert.rejects(records.read({ accountId: 8, id }), SealedValueError);
  rmSync(join(folder, `8-${id}.erasure`));
  writeFileSync(join(folder, 'notes.txt'), 'not ours');
  writeFileSync(join(folder, '7-1.erasure.part'), 'not whole');
  assert.equal((await records.requests()).length, 1);
});

test('a restore copies the records, and a rotation seals them again; lost keys lose no record', async () => {
  const there = join(parent, 'restored', 'erasures');
  assert.equal(await copyRecords(folder, there), 1);
  assert.equal(await copyRecords(there, there), 1);
  const [request] = await recordsBy(oldBox).requests();
  assert.deepEqual(await recordsBy(oldBox, there).read(request!), recordOf(1));
  assert.equal(await recordsBy(newBox).reseal(), 0, 'what cannot be opened stays');
  assert.equal(await recordsBy(bothBox).reseal(), 1);
  assert.equal(await recordsBy(bothBox).reseal(), 0);
  assert.deepEqual(await recordsBy(newBox).read(request!), recordOf(1));
  await assert.rejects(recordsBy(oldBox).read(request!), SealedValueError);
});

test('records go when no backup is as old', async () => {
  const records = recordsBy(newBox);
  await records.add(recordOf(30));
  for (let days = 32; days < 64; days++) await records.add(recordOf(days));
  // As two processes do that share the folder.
  await Promise.all([records.cleanUp(NOW, 31), recordsBy(newBox).cleanUp(NOW, 31)]);
  assert.deepEqual(
    (await records.requests()).map(({ id }) => id).toSorted((a, b) => a - b),
    [recordOf(30).id, recordOf(1).id],
  );
});
