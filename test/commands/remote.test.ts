import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Carillon, verifyWebhook } from '../../client/src/index.ts';
import { startReceiver } from '../engine/events/support.ts';
import { type Environment, environmentOfRun } from '../support/environment.ts';
import { newPhone } from '../support/phones.ts';
import { programFile } from '../support/program.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* Commands that call a service over HTTP, each as the user's: a process of its own. */

const service = await startTestService();
const { url } = service;
const client = new Carillon({ url, token: DEMO_TOKEN });
const home = mkdtempSync(join(tmpdir(), 'carillon-remote-'));
const file = join(home, 'carillon/config.json');
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill();
  rmSync(home, { recursive: true, force: true });
});

const withToken = { CARILLON_URL: url, CARILLON_TOKEN: DEMO_TOKEN };

interface Running {
  readonly out: string;
  readonly err: string;
  readonly lines: readonly Record<string, unknown>[];
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
}

/** Starts a command. */
function begin(settings: Environment, args: readonly string[], input = ''): Running {
  const child = spawn(process.execPath, [programFile, ...args], {
    env: { ...environmentOfRun, NO_COLOR: '1', HOME: home, XDG_CONFIG_HOME: home, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  child.stdin.end(input);
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  return {
    get out() {
      return printed.out;
    },
    get err() {
      return printed.err;
    },
    get lines() {
      const whole = printed.out.slice(0, printed.out.lastIndexOf('\n') + 1);
      return whole
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    ended,
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** Runs a command to its end, which has to be this. */
async function run(
  args: readonly string[],
  settings: Environment = withToken,
  code = 0,
  input = '',
): Promise<Running> {
  const command = begin(settings, args, input);
  assert.equal(await command.ended, code, command.err);
  return command;
}

describe('send', () => {
  test('an SMS, and how it ends', async () => {
    const phone = newPhone();
    const args = ['send', 'sms', 'Hello from a shell', '--from', 'Shop', '--to', phone, '--wait', '--json'];
    const { lines } = await run([...args, '--campaign', 'Shell']);
    assert.match(String(lines[0]!.shipment_id), /^\d+$/);
    assert.equal(lines.at(-1)!.state, 'delivered');
    const [received] = await service.phone(phone);
    assert.ok(received!.text.startsWith('Hello from a shell'));
  });

  test('once for a key', async () => {
    const phone = newPhone();
    const args = ['send', 'sms', 'Once', '--from', 'Shop', '--to', phone, '--key', 'shell 1', '--json'];
    const [first, second] = [await run(args), await run(args)];
    assert.deepEqual(first.lines, second.lines);
  });

  test('a chat template and a code', async () => {
    const template = ['send', 'chat', '1_972550000001_two', '--from', '972550000001', '--to', '0501234567'];
    const sent = await run([...template, '--variables', 'Dana', '1234', '--json']);
    assert.match(String(sent.lines[0]!.body), /Dana.*1234/s);
    const phone = newPhone();
    const code = await run(['send', 'code', '--from', 'Shop', '--to', phone, '--text', 'Take [code]']);
    assert.equal(code.out, `a code was sent to ${phone}\n`);
    const text = await waitFor('the code', async () => (await service.phone(phone))[0]?.text);
    assert.match(text, /^Take \d{6}/);
  });

  test('what is refused is said in words, without a stack', async () => {
    const { err, out } = await run(['send', 'sms', 'Hello', '--from', 'Shop', '--to', '12'], withToken, 1);
    assert.match(err, /^carillon: .*\(bad-destination\)\n$/);
    assert.equal(out, '');
    const nobody = await run(['logs'], { ...withToken, CARILLON_TOKEN: 'x' }, 1);
    assert.match(nobody.err, /\(signed-out\)/);
    const nowhere = await run(['logs', '--url', 'nowhere'], withToken, 1);
    assert.match(nowhere.err, /^carillon: "nowhere" is no URL/);
  });
});

describe('login', () => {
  test('keeps a token for its service alone, where nobody else can read it', async () => {
    const none = await run(['logs'], {}, 1);
    assert.equal(none.err, 'carillon: no token: set CARILLON_TOKEN, or run "carillon login"\n');
    const wrong = await run(['login', '--url', url], {}, 1, 'no token of anybody\n');
    assert.match(wrong.err, /signed-out/);
    assert.equal(statSync(file, { throwIfNoEntry: false }), undefined);

    const { out } = await run(['login', '--url', url], {}, 0, `${DEMO_TOKEN}\n`);
    assert.equal(out, `the token of demo at ${url} is in ${file}\n`);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).token, DEMO_TOKEN);
    assert.ok((await run(['logs', '--limit', '1', '--json'], {})).lines.length === 1);

    const elsewhere = await run(['logs', '--url', 'http://127.0.0.1:9'], {}, 1);
    assert.match(elsewhere.err, /the stored token is for/);
    chmodSync(file, 0o644);
    assert.match((await run(['logs'], {}, 1)).err, /others can read/);
    chmodSync(file, 0o600);
  });
});

test('logs shows the last requests, and follows', async () => {
  const phone = newPhone();
  await client.sms.send({ source: 'Shop', phones: [phone], message: 'Logged' });
  await client.sms.send({ source: 'Shop', phones: ['12'], message: 'Refused' }).catch(() => {});
  await waitFor('the log', async () => {
    const { requests } = await client.requests.list({ operation: 'sendText', refused: 'true' });
    return requests.length > 0;
  });
  const { lines } = await run(['logs', '--operation', 'sendText', '--limit', '2', '--json']);
  assert.deepEqual(
    lines.map(({ status }) => status),
    ['ok', 'bad-destination'],
  );
  const refused = await run(['logs', '--refused', '--operation', 'sendText', '--limit', '1']);
  assert.match(refused.out, /^\S+ {2}400 {2}v1 sendText {2}bad-destination {2}\d+ ms {2}\S+\n$/);

  const followed = begin(withToken, ['logs', '--follow', '--operation', 'estimateText', '--json']);
  const estimate = () => client.sms.estimate({ phones: [phone], message: 'Followed' });
  await waitFor('an entry to come', async () => {
    await estimate();
    return followed.lines.length > 1;
  });
  const ids = followed.lines.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  await followed.stop();
});

describe('listen', () => {
  test('forwards what happens, signed with the secret that it prints, and replays one', async () => {
    const receiver = await startReceiver();
    const listening = begin(withToken, ['listen', '--forward', receiver.url, '--json']);
    await waitFor('it to listen', () => listening.err.includes('Webhook secret'));
    const secret = /Webhook secret: (whsec_\S+)/.exec(listening.err)![1]!;
    const phone = newPhone();
    await client.blacklist.add({ phones: [phone] });
    const request = await waitFor('the event', () =>
      receiver.received.find(({ body }) => body.includes(phone.slice(1))),
    );
    const event = await verifyWebhook(secret, request.headers, request.body);
    assert.equal(event.type, 'blacklist.added');
    const line = await waitFor('its line', () => listening.lines.find(({ id }) => id === event.id));
    assert.deepEqual(line.data, event.data);
    assert.equal((line.forwarded as { status: number }).status, 200);
    await listening.stop();

    receiver.received.length = 0;
    await run(['listen', '--forward', receiver.url, '--replay', event.id]);
    // The body and the id are the same, and so is the secret.
    assert.equal(receiver.received[0]!.body, request.body);
    assert.deepEqual(await verifyWebhook(secret, receiver.received[0]!.headers, request.body), event);
    receiver.answer = (response) => response.writeHead(500).end();
    const failed = await run(['listen', '--forward', receiver.url, '--replay', event.id], withToken, 1);
    assert.match(failed.out, /-> 500/);
    const unknown = await run(['listen', '--replay', 'evt_1_0'], withToken, 1);
    assert.match(unknown.err, /no such event \(not-found\)/);
  });

  test('prints chosen events, and tells what nobody takes', async () => {
    const listening = begin(withToken, [
      'listen',
      '--events',
      'blacklist.added',
      '--forward',
      'http://127.0.0.1:9',
    ]);
    await waitFor('it to listen', () => listening.err.includes('Listening'));
    const phone = newPhone();
    await client.blacklist.add({ phones: [phone] });
    await waitFor('the line', () => /blacklist\.added {2}evt_\d+_\d+ {2}-> not taken/.test(listening.out));
    await listening.stop();
    const unknown = await run(['listen', '--events', 'nothing.happened'], withToken, 1);
    assert.match(unknown.err, /there is no event type nothing\.happened/);
  });
});
