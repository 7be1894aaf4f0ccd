import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildProgram } from '../../tools/build-program.ts';
import { environmentOfRun } from '../support/environment.ts';
import { Installation } from '../support/process.ts';

/* The bundle that `npm start`, the image and the Debian package start (server/carillon.js). */

const root = join(import.meta.dirname, '../..');
await buildProgram();

/** Copies files of the project into a folder, with the packages of the project. Removed with the test file. */
function copyOf(paths: readonly string[], isCopied: (path: string) => boolean = () => true): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bundle-'));
  after(() => rmSync(folder, { recursive: true }));
  for (const path of paths)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      preserveTimestamps: true,
      filter: (source) => isCopied(source),
    });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const packaged = copyOf(['package.json', 'server'], (path) => !/\.ts$|\/dist\/\.cache$/.test(path));
const launcher = join(packaged, 'server/carillon.js');

test('a package without sources starts, answers, and runs commands', async () => {
  const installation = new Installation({ SANDBOX: 'on' });
  const program = await installation.start({ main: launcher });
  assert.equal((await fetch(`${program.url}/healthz`)).status, 200);
  assert.equal((await fetch(`${program.url}/docs`)).status, 200);
  assert.equal((await program.stop()).code, 0);
  const { stdout } = spawnSync(process.execPath, [launcher, 'settings'], {
    encoding: 'utf8',
    env: environmentOfRun,
  });
  assert.match(stdout, /^\| `DATABASE_URL` \|/m);
});

test('every file that the bundle finds by its path is in a package', () => {
  const paths = globSync('server/dist/*.mjs', { cwd: packaged }).flatMap((file) => {
    const text = readFileSync(join(packaged, file), 'utf8');
    const names = text.matchAll(/new URL\(["'`]([^"'`]+)["'`],\s*import\.meta\.url\)(?!\.href)/g);
    return [...names].map(([, name]) => fileURLToPath(new URL(name!, pathToFileURL(join(packaged, file)))));
  });
  assert.ok(paths.some((path) => path.endsWith('media-worker.mjs')));
  for (const path of paths) assert.ok(existsSync(path), path);
});

test('stack traces name places in the sources', () => {
  const open = pathToFileURL(join(packaged, 'server/dist/channels-sms-open.mjs')).href;
  const script = `
    process.argv.splice(1, 1, ${JSON.stringify(launcher)}, 'settings');
    await import(${JSON.stringify(pathToFileURL(launcher).href)});
    const { open } = await import(${JSON.stringify(open)});
    try { await open(undefined) } catch (error) { console.error(error.stack) }`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script, 'x'], {
    encoding: 'utf8',
    env: environmentOfRun,
  });
  const [, line] = /at open \(.*server\/channels\/sms\/open\.ts:(\d+):\d+\)/.exec(stderr) ?? [];
  assert.ok(line, stderr);
  const text = readFileSync(join(root, 'server/channels/sms/open.ts'), 'utf8').split('\n');
  const first = text.findIndex((one) => /export .*\bopen\b/.test(one)) + 1;
  assert.ok(
    Number(line) >= first && Number(line) < first + 10,
    `${line} is not in open, which begins at ${first}`,
  );
});

test('a source that was changed since the build is run instead of the bundle, until the next build', () => {
  const copy = copyOf(['package.json', 'package-lock.json', 'server', 'client/src', 'deploy/container']);
  const run = () =>
    spawnSync(process.execPath, [join(copy, 'server/carillon.js'), '--help'], {
      encoding: 'utf8',
      env: environmentOfRun,
    }).stdout;
  appendFileSync(join(copy, 'server/dist/main.mjs'), "\nconsole.log('from the bundle');\n");
  assert.match(run(), /from the bundle\n$/);
  appendFileSync(join(copy, 'server/kit/version.ts'), "\nconsole.log('from the sources');\n");
  assert.match(run(), /^from the sources\n/);
  rmSync(join(copy, 'server/dist'), { recursive: true });
  assert.match(run(), /^from the sources\n/);
});
