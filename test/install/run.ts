import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The two commands of the README with the Node and npm of Debian 12 (`npm run test:install`), in a root made by mmdebstrap. Needs
 * root, mmdebstrap and the registry of npm.
 */

/** The certificates of this machine, by which npm in the root reaches the registry that it reaches here. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const project = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'carillon-install-'));
const root = join(folder, 'root');

/** Runs a command in the root, in the folder of the project; its exit status and output. */
function inRoot(command: string): { status: number | null; output: string } {
  const script = `mount -t proc proc /proc && cd /app && export HOME=/root NPM_CONFIG_CAFILE=${CERTIFICATES} && ${command} 2>&1`;
  const { status, stdout } = spawnSync(
    'unshare',
    ['--mount', '--pid', '--fork', 'chroot', root, 'sh', '-c', script],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env: { PATH: process.env.PATH } },
  );
  return { status, output: stdout };
}

try {
  execFileSync(
    'mmdebstrap',
    ['--variant=minbase', '--include=nodejs,npm,ca-certificates', 'bookworm', root],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  copyFileSync(CERTIFICATES, join(root, CERTIFICATES));
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  mkdirSync(join(root, 'app'));
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' });
  writeFileSync(join(folder, 'files'), files);
  execFileSync(
    'sh',
    ['-c', 'tar -c --null -T "$1" | tar -x -C "$2"', 'sh', join(folder, 'files'), join(root, 'app')],
    {
      cwd: project,
    },
  );
  const versions = inRoot('node --version && npm --version').output.trim().split('\n');
  console.log(`Node ${versions[0]}, npm ${versions[1]}`);
  assert.match(versions[0]!, /^v18\./);
  const { status, output } = inRoot('npm ci && npm start');
  const last = output.trimEnd().split('\n').at(-1)!;
  console.log(last);
  assert.match(
    last,
    /^carillon: npm did not install .*, because it runs on Node 18\..* Install Node 20\.19 or later/,
  );
  assert.equal(status, 1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
