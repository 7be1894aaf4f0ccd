import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
/** A run of all tests has less than 1 GiB at once. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Makes the folder for the temporary files of a run: in memory, where there is room. A database is a thousand files, and to
 * make and remove them on a disk is more than half of what PostgreSQL costs the tests.
 */
export function makeTemporaryFolder(): string {
  if (hasRoom()) {
    const folder = make(MEMORY);
    if (runsPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  }
  return make(tmpdir());
}

function make(parent: string): string {
  const folder = mkdtempSync(join(parent, 'carillon-tests-'));
  // PostgreSQL does not run as root, and has to be let through.
  chmodSync(folder, 0o755);
  return folder;
}

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return type === TMPFS && bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Containers may have it without the right to run what is there. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
