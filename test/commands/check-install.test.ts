import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

/* tools/check-install.cjs, in folders as npm leaves them behind. `npm run test:install` tries npm 9 on Node 18. */

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'carillon-install-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'tools'));
for (const file of ['package-lock.json', 'tools/check-install.cjs'])
  copyFileSync(join(root, file), join(folder, file));

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: string[];
}
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Runs the check in the folder, started by npm on `outer` (a version of Node). */
function check(outer: string) {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'tools/check-install.cjs')], {
    encoding: 'utf8',
    env: { npm_config_user_agent: `npm/9.2.0 node/v${outer} linux x64 workspaces/false` },
  });
  return { status, said: stderr };
}

const install = (path: string) => mkdirSync(join(folder, path), { recursive: true });

test('without packages the check asks for npm ci', () => {
  assert.deepEqual(check('24.1.0'), {
    status: 1,
    said: 'carillon: The packages are not installed. Run `npm ci`, then try again.\n',
  });
});

test('packages that npm left out on an old Node are named in one sentence, with the versions to install', () => {
  install('node_modules/vite');
  for (const old of ['18.20.4', '20.18.3', '22.11.0']) {
    const { status, said } = check(old);
    assert.equal(status, 1);
    assert.match(said, /^carillon: npm did not install .*@rolldown\/binding-[^\n]*\n$/);
    assert.ok(said.includes(`because it runs on Node ${old}. Install Node 20.19 or later`), said);
  }
  for (const recent of ['20.19.0', '22.12.0']) {
    const { status, said } = check(recent);
    assert.equal(status, 1);
    assert.match(said, /so the console cannot be built\. Check the network/);
  }
});

test('a service that was built before starts all the same', () => {
  const page = join(folder, 'console/dist/index.html');
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, '');
  const { status, said } = check('18.20.4');
  assert.equal(status, 0);
  assert.match(said, /npm did not install/);
});

test('a whole installation says nothing', () => {
  for (const [path, { dev, optional, os }] of Object.entries(packages))
    if (dev && optional && os) install(path);
  assert.deepEqual(check('24.1.0'), { status: 0, said: '' });
});

test('packages of this very installation pass', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/check-install.cjs')], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
});
