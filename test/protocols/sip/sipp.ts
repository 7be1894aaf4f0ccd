import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from './udp.ts';

/*
 * SIPp (https://sipp.sourceforge.net) as the other side of a trunk: a user agent that we did not write.
 */

const HOST = '127.0.0.1';

/** Steps of a scenario. */
export const receive = {
  request: (method: string, more = '') => `<recv request="${method}" ${more}/>`,
  response: (status: number, more = '') => `<recv response="${status}" ${more}/>`,
  optional: (method: string) => `<recv request="${method}" optional="true"/>`,
};

export const pause = (milliseconds: number) => `<pause milliseconds="${milliseconds}"/>`;

export interface AnswerOptions {
  /** Where the callee wants its audio; without it the answer has no SDP. */
  readonly audioPort?: number;
  /** The SDP stands in a body of several parts, behind ISUP. */
  readonly multipart?: boolean;
  /** Payload types in the order of the answer. */
  readonly codecs?: string;
  /** Header fields, one a line. */
  readonly headers?: string;
  /** Where the caller is to send the rest of the dialog, instead of SIPp's own address. */
  readonly contact?: string;
  /** Milliseconds until the answer goes again. */
  readonly retransmitMs?: number;
}

/** Answers the last request. */
export function answer(status: number, reason: string, options: AnswerOptions = {}): string {
  const { headers = '', contact = 'sip:[local_ip]:[local_port]', retransmitMs, audioPort } = options;
  const tag = status === 100 ? '' : ';tag=[pid]sipp[call_number]';
  return `<send ${retransmitMs ? `retrans="${retransmitMs}"` : ''}><![CDATA[

SIP/2.0 ${status} ${reason}
[last_Via:]
[last_From:]
[last_To:]${tag}
[last_Call-ID:]
[last_CSeq:]
Contact: <${contact}>
${headers ? `${headers}\n` : ''}${body(audioPort, options.codecs, options.multipart)}
]]></send>`;
}

/** Sends whatever is given, as long as SIPp finds the call in it. */
export const raw = (message: string) => `<send><![CDATA[\n\n${message}\n\n]]></send>`;

/** Answers a request within the dialog, where To has its tag already. */
export const confirm = (status = 200) => answer(status, 'OK').replace(';tag=[pid]sipp[call_number]', '');

function body(audioPort: number | undefined, codecs = '8 0', multipart = false): string {
  if (audioPort === undefined) return 'Content-Length: 0\n';
  const sdp = `v=0
o=sipp 1 1 IN IP4 ${HOST}
s=-
c=IN IP4 ${HOST}
t=0 0
m=audio ${audioPort} RTP/AVP ${codecs}
`;
  if (!multipart) return `Content-Type: application/sdp\nContent-Length: [len]\n\n${sdp}`;
  return `Content-Type: multipart/mixed;boundary="a part"
Content-Length: [len]

--a part
Content-Type: application/ISUP;version=itu-t92+;base=itu-t92+
Content-Disposition: signal;handling=optional

0123456789
--a part
Content-Type: application/sdp

${sdp}--a part--
`;
}

/** A request of SIPp's within the dialog that an INVITE began, to the Contact that it had. */
export function request(method: string, sequence: number, audioPort?: number, codecs?: string): string {
  return `<send retrans="200"><![CDATA[

${method} [next_url] SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
[routes]
Max-Forwards: 70
From: <sip:callee@[local_ip]>;tag=[pid]sipp[call_number]
To[$caller]
[last_Call-ID:]
CSeq: ${sequence} ${method}
Contact: <sip:[local_ip]:[local_port]>
${body(audioPort, codecs)}
]]></send>`;
}

/** Receives the INVITE, keeps its From for requests of SIPp's own, and its Contact for their URI. */
export const receiveInvite = `<recv request="INVITE" rrs="true"><action>
<ereg regexp=":.*" search_in="hdr" header="From" assign_to="caller"/></action></recv>`;

export interface Sipp {
  readonly port: number;
  /** Waits for its end; throws with what it said when a call did not go as the scenario has it. */
  finished(): Promise<void>;
}

/** Plays a scenario for some calls as the callee, at a port of its own or the one given; ended with the test. */
export async function startSipp(
  t: TestContext,
  steps: readonly string[],
  { calls = 1, port }: { calls?: number; port?: number } = {},
): Promise<Sipp> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-sipp-'));
  const scenario = join(folder, 'scenario.xml');
  const errors = join(folder, 'errors.log');
  await writeFile(
    scenario,
    `<?xml version="1.0" encoding="ISO-8859-1"?>\n<scenario name="callee">\n${steps.join('\n')}\n</scenario>\n`,
  );
  const at = port ?? (await freePort());
  const options = ['-sf', scenario, '-i', HOST, '-p', String(at), '-m', String(calls), '-nostdin'];
  const traces = ['-trace_err', '-error_file', errors, '-timeout', '30s', '-timeout_error'];
  const child = spawn('sipp', [...options, ...traces], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  return {
    port: at,
    async finished() {
      const code = await ended;
      if (code === 0) return;
      const log = await readFile(errors, 'utf8').catch(() => '');
      throw new Error(`SIPp ended with ${code}: ${said}\n${log}`);
    },
  };
}
