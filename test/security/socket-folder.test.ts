import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DataFolderError, makePrivateFolder } from '../../server/database/embedded-files.ts';

/* "I have an account on the machine": I make the folder of the socket first, in the folder that all of us share. */

const shared = mkdtempSync(join(tmpdir(), 'carillon-shared-'));
after(() => rmSync(shared, { recursive: true }));
const me = process.getuid?.();
const isRefused = (why: RegExp) => (error: unknown) =>
  error instanceof DataFolderError && why.test(error.message) && /TMPDIR/.test(error.message);

test('a new one is for its owner alone', () => {
  const folder = join(shared, 'new');
  makePrivateFolder(folder, me);
  assert.equal(lstatSync(folder).mode & 0o777, 0o700);
  makePrivateFolder(folder, me);
});

test('one of ours that others could enter is closed', () => {
  const folder = join(shared, 'open');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  makePrivateFolder(folder, me);
  assert.equal(lstatSync(folder).mode & 0o777, 0o700);
});

test('a symbolic link is refused, and what it leads to is left as it is', () => {
  const aim = join(shared, 'aim');
  mkdirSync(aim);
  chmodSync(aim, 0o755);
  symlinkSync(aim, join(shared, 'link'));
  assert.throws(() => makePrivateFolder(join(shared, 'link'), me), isRefused(/symbolic link/));
  assert.equal(lstatSync(aim).mode & 0o777, 0o755);
});

test('a dangling symbolic link and a file are refused', () => {
  symlinkSync(join(shared, 'nowhere'), join(shared, 'dangling'));
  assert.throws(() => makePrivateFolder(join(shared, 'dangling'), me), isRefused(/symbolic link/));
  writeFileSync(join(shared, 'file'), '');
  assert.throws(() => makePrivateFolder(join(shared, 'file'), me), isRefused(/no folder/));
});

test("a folder of somebody else's is refused", () => {
  // Root can give one away; everybody else takes the folder of all, which is root's.
  const folder = me === 0 ? join(shared, 'foreign') : '/';
  if (me === 0) {
    mkdirSync(folder);
    chownSync(folder, 1, 1);
  }
  assert.throws(() => makePrivateFolder(folder, me === 0 ? 2 : me), isRefused(/somebody else's/));
});
