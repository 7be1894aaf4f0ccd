import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/* Kannel's bearerbox and smsbox, with the defaults of their SMPP client. */

interface KannelOptions {
  readonly smppPort: number;
  readonly systemId: string;
  readonly password: string;
}

interface Kannel {
  /** Sends a message by the HTTP interface of Kannel, with more parameters than user and password. */
  send(parameters: Readonly<Record<string, string>>): Promise<string>;
  /** Lines of its logs. */
  readonly log: () => string;
}

/** Starts Kannel with one connection, until the file ends. */
export async function startKannel({ smppPort, systemId, password }: KannelOptions): Promise<Kannel> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-kannel-'));
  const [admin, box, http] = [await freePort(), await freePort(), await freePort()];
  const file = join(folder, 'kannel.conf');
  await writeFile(
    file,
    `group = core
admin-port = ${admin}
admin-interface = "127.0.0.1"
admin-password = secret
smsbox-port = ${box}
smsbox-interface = "127.0.0.1"
store-type = file
store-location = "${join(folder, 'store')}"

group = smsc
smsc = smpp
smsc-id = carillon
host = 127.0.0.1
port = ${smppPort}
transceiver-mode = true
smsc-username = ${systemId}
smsc-password = ${password}
system-type = ""

group = smpp-tlv
name = PE_ID
tag = 0x1400
type = octetstring
length = 30
smsc-id = carillon

group = smpp-tlv
name = TEMPLATE_ID
tag = 0x1401
type = octetstring
length = 30
smsc-id = carillon

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${box}
sendsms-port = ${http}
sendsms-interface = "127.0.0.1"
global-sender = Shop

group = sendsms-user
username = test
password = test
max-messages = 10
concatenation = true

group = sms-service
keyword = default
get-url = "http://127.0.0.1:1/"
max-messages = 0
`,
  );
  let printed = '';
  const children = new Set<ChildProcess>();
  const start = (program: string) => {
    const child = spawn(program, ['-v', '0', file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    return child;
  };
  after(async () => {
    await Promise.all(Array.from(children, ended));
    await rm(folder, { recursive: true });
  });
  start('bearerbox');
  await waitFor('the bearerbox', () =>
    fetch(`http://127.0.0.1:${admin}/status.txt?password=secret`).then(
      async (answer) => (await answer.text()).includes('(online'),
      () => false,
    ),
  );
  start('smsbox');
  const url = `http://127.0.0.1:${http}/cgi-bin/sendsms`;
  await waitFor('the smsbox', () =>
    fetch(url)
      .then(() => true)
      .catch(() => false),
  );
  return {
    async send(parameters) {
      const query = new URLSearchParams({ username: 'test', password: 'test', ...parameters });
      const answer = await fetch(`${url}?${query}`);
      return answer.text();
    },
    log: () => printed,
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
}
