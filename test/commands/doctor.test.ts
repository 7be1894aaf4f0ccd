import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { AUTHORITY_FILE, type CertificateName, certificate } from '../support/certificates.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { carillon, carillonProcess, dataFolder, startService } from './support.ts';

/* `carillon doctor` beside a running service: what is wrong is found, and what is right is not called wrong. */

const folder = mkdtempSync(join(tmpdir(), 'carillon-doctor-'));
after(() => rm(folder, { recursive: true }));
const settings = { DATA_DIR: dataFolder() };
const service = await startService({ ...settings, CARILLON_DEMO_TOKEN: 'the-token-of-the-demo-account' });

interface Finding {
  readonly state: string;
  readonly found: string;
  readonly todo: string;
}
interface Report {
  readonly failed: number;
  readonly warnings: number;
  readonly checks: readonly { readonly name: string; readonly findings: readonly Finding[] }[];
}

/** What the checks of these names find with these settings. */
async function findings(
  more: Record<string, string>,
  only: string,
  ...args: string[]
): Promise<readonly Finding[]> {
  const run = await carillonProcess(
    { ...settings, LOG_LEVEL: 'error', ...more },
    'doctor',
    '--only',
    only,
    ...args,
    '--json',
  );
  const report = JSON.parse(run.out) as Report;
  assert.equal(run.code, report.failed > 0 ? 1 : 0, run.err);
  assert.deepEqual(
    report.checks.map(({ name }) => name),
    [only],
  );
  return report.checks[0]!.findings;
}
const states = (list: readonly Finding[]) => list.map(({ state }) => state);

/** A server with TLS that answers as a service that is ready. */
async function startTls(name: CertificateName): Promise<string> {
  const server = createServer(certificate(name), (_request, response) => response.end('ready'));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  after(() => new Promise((resolve) => server.close(resolve)));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

test('all checks of a fresh sandbox: what it lacks for production is found, in words and as JSON', async () => {
  const { port } = new URL(service.url);
  await waitFor('the connectors are up', async () =>
    states(await findings({ PORT: port }, 'connectors')).every((state) => state === 'ok'),
  );
  const run = await carillonProcess({ ...settings, LOG_LEVEL: 'error', PORT: port }, 'doctor', '--json');
  assert.equal(run.code, 1, run.err);
  const { checks, failed } = JSON.parse(run.out) as Report;
  assert.ok(failed >= 2);
  const of = (name: string) => checks.find((check) => check.name === name)!.findings;
  assert.equal(of('sandbox')[0]!.todo, 'Run `carillon sandbox retire`.');
  assert.deepEqual(states(of('database')), ['ok', 'ok']);
  assert.deepEqual(states(of('clock')), ['ok']);
  assert.match(of('connectors')[0]!.found, /^process \d+ \(api, dispatch, jobs\) on \S+, version \S+ works$/);
  assert.ok(
    states(of('connectors')).every((state) => state === 'ok'),
    JSON.stringify(of('connectors')),
  );
  assert.deepEqual(states(of('mail')), ['skip']);
  assert.equal(of('backups')[0]!.state, 'warn');
  for (const { findings: list } of checks) {
    assert.ok(list.length > 0);
    for (const { state, todo } of list) assert.equal(todo === '', state === 'ok' || state === 'skip');
  }
  const words = await carillon({ ...settings, PORT: port }, 'doctor', '--only', 'sandbox', 'clock');
  assert.match(words.out, /Sandbox leftovers\n {2}FAIL {2}the demo account .*\n {8}Run/);
  assert.match(words.out, /failed: 1, warnings: 0/);
  assert.equal((await carillon(settings, 'doctor', '--only', 'nothing')).code, 1);
});

test('a certificate has to be trusted, and the service behind it', async () => {
  const trusted = { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };
  const good = await startTls('valid');
  const of = (url: string, more = {}) => findings({ PUBLIC_URL: url, ...more }, 'public-address');
  assert.deepEqual(states(await of(good, trusted)), ['fail', 'ok', 'ok'], 'only that it is this machine');
  const [, untrusted] = await of(good);
  assert.equal(untrusted!.state, 'fail');
  assert.match((await of(await startTls('expired'), trusted))[1]!.found, /not accepted: .*expired/);
  assert.match((await of(await startTls('other-name'), trusted))[1]!.found, /not accepted/);
  assert.deepEqual(states(await of(service.url)), ['fail', 'ok']);
  const [unknown] = await of('https://carillon.invalid');
  assert.match(unknown!.found, /^DNS has no address for carillon\.invalid/);

  const authorities = (file: string) => findings({ NODE_EXTRA_CA_CERTS: file }, 'certificates');
  assert.match((await authorities(AUTHORITY_FILE))[0]!.found, /that are trusted \(NODE_EXTRA_CA_CERTS\): 1$/);
  assert.deepEqual(states(await authorities('/nowhere/ca.pem')), ['fail']);
});

test('senders of mail: relay, SPF, DKIM, DMARC and the way back', async () => {
  const relay = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  after(() => new Promise<void>((resolve) => relay.close(resolve)));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keyFile = join(folder, 'dkim.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const dns = await startDnsServer({
    texts: [
      ['shop.example', 'v=spf1 include:relay.example -all'],
      ['_dmarc.shop.example', 'v=DMARC1; p=quarantine'],
      ['carillon._domainkey.shop.example', `v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)],
      ['other._domainkey.shop.example', 'v=DKIM1; p=AAAA'],
      ['open.example', 'v=spf1 +all'],
      ['_dmarc.open.example', 'v=DMARC1; p=none'],
    ],
    exchangers: [['bounces.shop.example', 'mx.shop.example']],
  });
  const mail = {
    MAIL_RELAY_URL: `smtp://127.0.0.1:${(relay.server.address() as AddressInfo).port}`,
    MAIL_FROM: 'news@shop.example',
    MAIL_BOUNCE_DOMAIN: 'bounces.shop.example',
    MAIL_DKIM_DOMAIN: 'shop.example',
    MAIL_DKIM_KEY_FILE: keyFile,
  };
  const of = (more: Record<string, string> = {}) => findings({ ...mail, ...more }, 'mail', '--dns', dns);
  const good = await of();
  assert.deepEqual(states(good), ['ok', 'ok', 'ok', 'ok', 'ok'], JSON.stringify(good));
  const bad = await of({
    MAIL_RELAY_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'news@open.example',
    MAIL_BOUNCE_DOMAIN: 'nowhere.example',
    MAIL_DKIM_SELECTOR: 'other',
  });
  assert.deepEqual(states(bad), ['fail', 'fail', 'fail', 'fail', 'warn'], JSON.stringify(bad));
  const none = await of({ MAIL_FROM: 'news@nothing.example', MAIL_DKIM_SELECTOR: 'none' });
  assert.deepEqual(states(none), ['ok', 'ok', 'fail', 'warn', 'warn'], JSON.stringify(none));
  assert.ok(none[2]!.todo.includes(`p=${key}`), 'the record to publish is told');
});

test('the key of the secrets: where it is, and what is left of an earlier one', async () => {
  assert.deepEqual(states(await findings({}, 'secrets')), ['warn', 'ok']);
});

test('settings from files are listed with their files', async () => {
  const file = join(settings.DATA_DIR, 'keep-days');
  writeFileSync(file, '90\n');
  const found = await findings({ KEEP_DAYS_FILE: file }, 'secrets');
  assert.deepEqual([found[1]!.state, found[1]!.found], ['ok', `settings from files: KEEP_DAYS (${file})`]);
});
