import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from '../../deploy/debian/build.ts';

/*
 * Builds the Debian package in two versions, installs them into a bare Debian 12 and tries them (`npm run test:package`). Needs root,
 * mmdebstrap and Debian's packages.
 */

const out = mkdtempSync(join(tmpdir(), 'carillon-debs-'));
let status: number | null = 1;
try {
  const build = (version: string) => buildPackage({ version, out, compression: 'gzip' });
  const files = [await build('90.1.0'), await build('90.2.0')];
  // "libc6 (>= 2.28), util-linux": the root has these packages and no more.
  const depends = execFileSync('dpkg-deb', ['--field', files[0]!, 'Depends'], { encoding: 'utf8' });
  const packages = depends.split(',').map((entry) => entry.trim().split(' ')[0]);
  ({ status } = spawnSync(process.execPath, ['--test', join(import.meta.dirname, 'checks.ts')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      CARILLON_PACKAGES: files.join(' '),
      CARILLON_DEPENDS: packages.join(' '),
      CARILLON_FOLDER: out,
    },
  }));
} finally {
  rmSync(out, { recursive: true, force: true });
}
process.exit(status ?? 1);
