import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { podman } from './podman.ts';

/*
 * In place of the official image of Node, where none can be fetched: Debian's packages (mmdebstrap), the runtime that npm has
 * installed, and npm itself.
 */

const NAME = 'localhost/carillon-test-node';
/** The certificates of this machine, by which npm in the image reaches the registry that it reaches here. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Makes the image unless there is one; its name. Throws when a program is missing or fails. */
export function makeBase(): string {
  if (podman('images', '--quiet', NAME) !== '') return NAME;
  const folder = mkdtempSync(join(tmpdir(), 'carillon-base-'));
  const root = join(folder, 'root');
  try {
    execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const local = join(root, 'usr/local');
    copyFileSync(process.execPath, join(local, 'bin/node'));
    const npm = join(local, 'lib/node_modules/npm');
    mkdirSync(npm, { recursive: true });
    cpSync(folderOfNpm(), npm, { recursive: true, dereference: true });
    for (const program of ['npm', 'npx'])
      symlinkSync(`../lib/node_modules/npm/bin/${program}-cli.js`, join(local, 'bin', program));
    copyFileSync(CERTIFICATES, join(root, CERTIFICATES));
    const archive = join(folder, 'root.tar');
    execFileSync('tar', ['-C', root, '-cf', archive, '.']);
    const settings = [
      `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
      'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ];
    podman('import', ...settings.flatMap((setting) => ['--change', setting]), archive, NAME);
    return NAME;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the npm is that runs this, or the one of the path. */
function folderOfNpm(): string {
  const running = process.env.npm_execpath;
  if (running && existsSync(running)) return dirname(dirname(running));
  return join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');
}
