import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { AudioStore } from '../../server/channels/voice/speech/audio-store.ts';
import { Prompts } from '../../server/channels/voice/speech/prompts.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { sendRaw } from './attack.ts';

/* Out of the folder: where a path of a request, a name or an id could become a path of a file. */

const service = await startTestService();
const { url } = service;
const { host } = new URL(url);

/** Ways to write "one folder up", and where they lead. */
const ups = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2e.',
  '..%2f..',
  '%252e%252e',
  '..%5c',
  '..\\',
  '%c0%ae%c0%ae',
  '....//',
  '..;',
  '..%00',
  '．．',
];
const files = ['package.json', 'etc/passwd', '.env', '.git/config', 'server/main.ts', 'data/postgres.log'];
/** What these files have. */
const content = /"name": "carillon"|root:.*:0:0:|SECRET_KEY=|\[core\]|import .* from '|database system/;

/** Asks for a path to the letter: fetch and URL would take the dots out. */
const ask = (path: string) =>
  sendRaw(
    url,
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nAuthorization: Bearer ${DEMO_TOKEN}\r\nConnection: close\r\n\r\n`,
    ),
  );

const prefixes = [
  '/',
  '/assets/',
  '/docs/',
  '/docs/openapi.json/',
  '/l/',
  '/u/',
  '/v/',
  '/a/',
  '/m/o/',
  '/m/c/',
  '/mail/remove/',
  '/v1/',
  '/v1/exports/',
  '/v1/imports/',
  '/v1/messages/',
  '/v1/sandbox/phones/0501234567/calls/',
  '/v1/sandbox/handsets/',
  '/v1/sandbox/mailboxes/',
  '/chat-api/get-phone-templates/',
];

describe('read a file of the machine', () => {
  for (const prefix of prefixes) {
    test(`below ${prefix}`, async () => {
      const found = await Promise.all(
        ups.flatMap((up, index) => {
          const file = files[index % files.length]!;
          return [1, 6].map((depth) => ask(`${prefix}${`${up}/`.repeat(depth)}${file}`));
        }),
      );
      for (const said of found) {
        assert.doesNotMatch(said, content);
        assert.doesNotMatch(said, /^HTTP\/1\.1 5/);
      }
    });
  }

  test('by whole paths, other separators, other roots and endings', async () => {
    for (const path of [
      '//etc/passwd',
      '/%2fetc%2fpasswd',
      '/\\etc\\passwd',
      '/C:/Windows/win.ini',
      '/file:///etc/passwd',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/assets/%00../../package.json',
      '/assets/index.html%00.js',
      '/assets/.',
      '/assets/',
      '/assets',
      '/./package.json',
      '/package.json',
      '/.env',
      '/.git/HEAD',
      '/.git/config',
      '/.npmrc',
      '/.well-known/../package.json',
      '/node_modules/fastify/package.json',
      '/server/main.ts',
      '/data/',
      '/console/dist/index.html',
      '/index.html.br',
      '/index.html~',
      '/index.html.bak',
      '/backup.zip',
    ]) {
      const said = await ask(path);
      assert.doesNotMatch(said, content, path);
      assert.doesNotMatch(said, /^HTTP\/1\.1 5|Index of|"version":/, path);
    }
  });
});

describe('write or read a file by a name', () => {
  test('of a CSV file: the name in the answer is ours', async () => {
    const name = '../../../tmp/evil"; filename="evil.html\r\nX-Evil: yes';
    const made = await service.call('json', 'newCL', { cl: { name } });
    const [id] = made.fields.identifiers as string[];
    const headers = { authorization: `Bearer ${DEMO_TOKEN}` };
    const job = (await (
      await fetch(`${url}/v1/contact-lists/${id}/export`, { method: 'POST', headers })
    ).json()) as {
      id: string;
    };
    const answer = await waitFor('the file', async () => {
      const found = await fetch(`${url}/v1/exports/${job.id}/file`, { headers });
      return found.status === 200 && found;
    });
    assert.match(answer.headers.get('content-disposition')!, /^attachment; filename="[\w.-]+"$/);
    assert.equal(answer.headers.get('x-evil'), null);
    await answer.body?.cancel();
  });

  test('of speech: the name of a file is a digest, whatever was said', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-traversal-'));
    after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'outside.wav'), 'secret');
    const store = await AudioStore.open(join(folder, 'inner'), 1_000_000);
    const engine = { speak: async () => new Int16Array(800) };
    const prompts = new Prompts({ engine, engineName: '../../evil', store, log: createLogger('silent') });
    for (const text of ['../outside', '..\\..\\outside', '/etc/passwd', 'a/../../outside.wav\u0000']) {
      await prompts.promptFor({ text, voice: 'ymMale', rate: 0 });
      assert.equal(await store.get(text), undefined);
    }
    const written = readdirSync(join(folder, 'inner'));
    assert.ok(
      written.length > 0 && written.every((name) => /^[0-9a-f]{64}\.wav$/.test(name)),
      written.join(),
    );
    assert.deepEqual(readdirSync(folder).toSorted(), ['inner', 'outside.wav']);
  });

  test('of a recording in the sandbox', async () => {
    for (const id of ['..%2f..%2fetc%2fpasswd', '%2e%2e', '..', '__proto__', 'constructor', 'x%00']) {
      const said = await ask(`/v1/sandbox/phones/0501234567/calls/${id}.wav`);
      assert.match(said, /^HTTP\/1\.1 40[04]/, id);
    }
  });
});

test('list a folder', async () => {
  for (const path of ['/assets/', '/assets', '/docs/', '/v1/', '/api/', '/m/', '/l/', '/']) {
    assert.doesNotMatch(await ask(path), /Index of|<li><a href="[^"]*\.js"/, path);
  }
});
