import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv } from 'node:util';
import { channels } from '../../server/channels/index.ts';
import { allSettings } from '../../server/kit/config.ts';

/* Files of settings in the documentation and in deploy/: a shell that sources them reads the same values as the service. */

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'carillon-settings-env-'));
after(() => rmSync(folder, { recursive: true }));
const names = new Set(Object.keys(allSettings(channels)).flatMap((name) => [name, `${name}_FILE`]));

/** Examples that are whole files of settings, by where they are. */
function examples(): Map<string, string> {
  const found = new Map<string, string>();
  for (const place of ['docs', 'docs/guide'])
    for (const file of readdirSync(join(root, place)).filter((name) => name.endsWith('.md'))) {
      const text = readFileSync(join(root, place, file), 'utf8');
      for (const [index, [, block]] of [...text.matchAll(/^```(?:sh)?\n([\s\S]*?)\n```$/gm)].entries()) {
        const lines = block!.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
        if (lines.length > 0 && lines.every((line) => names.has(line.split('=')[0]!)))
          found.set(`${place}/${file}, block ${index + 1}`, block!);
      }
    }
  const compose = readFileSync(join(root, 'deploy/compose/secrets.sh'), 'utf8');
  const made = /cat > carillon\.env <<'END'\n([\s\S]*?)END\n/.exec(compose)![1]!;
  found.set('deploy/compose/secrets.sh', made.replace(/^# (?=[A-Z_]+=)/gm, ''));
  for (const name of ['carillon.env', 'defaults.env'])
    found.set(
      `deploy/debian/${name}`,
      readFileSync(join(root, 'deploy/debian', name), 'utf8').replace(/^# (?=[A-Z_]+=)/gm, ''),
    );
  return found;
}

test('systemd reads the files of the Debian package as a shell does', () => {
  for (const [place, text] of examples())
    if (place.startsWith('deploy/debian/'))
      // Forms that mean the same to both: a plain value, or one in single quotes, and comments on lines of their own.
      for (const line of text.split('\n'))
        assert.match(line, /^(?:|#.*|[A-Z_]+=(?:[\w./:-]*|'[^'\\]*'))$/, place);
});

test('a shell reads every example of settings as the service does', () => {
  const all = examples();
  assert.ok(all.size >= 4, [...all.keys()].join(', '));
  assert.ok([...all.keys()].some((place) => place.startsWith('docs/guide/go-to-production.md')));
  for (const [place, text] of all) {
    const file = join(folder, 'settings.env');
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync('sh', ['-euc', 'set -a; . "$1"; env -0', 'sh', file], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    assert.deepEqual([status, stderr], [0, ''], place);
    const read = Object.fromEntries(stdout.split('\0').map((line) => line.split(/=(.*)/s).slice(0, 2)));
    for (const [name, value] of Object.entries(parseEnv(text)))
      assert.equal(read[name], value, `${place}: ${name}`);
  }
});
