import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeBase } from './base.ts';
import { buildah } from './podman.ts';

/*
 * Builds the image and runs it in containers (`npm run test:image`): needs buildah, podman, catatonit and the right to use them.
 * On top of NODE_IMAGE, or of an image that is made of Debian's packages (mmdebstrap).
 */

// The checks run containers with --init; podman finds the program among its helpers, which are not in PATH.
const INIT = ['/usr/bin/catatonit', '/usr/libexec/podman/catatonit', '/usr/libexec/catatonit/catatonit'];
const missing = [
  ...['buildah', 'podman'].filter((program) => spawnSync(program, ['--version']).error !== undefined),
  ...(INIT.some((file) => existsSync(file)) ? [] : ['catatonit']),
];
if (missing.length > 0) {
  console.error(`npm run test:image needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`);
  process.exit(1);
}

const IMAGE = 'localhost/carillon-test';
const isolation = process.env.BUILDAH_ISOLATION ?? 'chroot';
const base = process.env.NODE_IMAGE ?? makeBase();
buildah(
  'bud',
  '--isolation',
  isolation,
  '--layers',
  '--format=docker',
  `--build-arg=NODE_IMAGE=${base}`,
  `--tag=${IMAGE}`,
  '.',
);
const { status } = spawnSync(process.execPath, ['--test', join(import.meta.dirname, 'checks.ts')], {
  stdio: 'inherit',
  env: { ...process.env, CARILLON_IMAGE: IMAGE },
});
process.exit(status ?? 1);
