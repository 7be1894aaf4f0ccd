import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { startChild } from '../support/child.ts';
import type { Field } from '../support/field.ts';
import { cpuOf, cpuOfMachine } from '../support/proc.ts';
import { median } from '../support/statistics.ts';
import { until } from '../support/wait.ts';
import { startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

const WARM_UP = 2_000;

type Target = LoadTarget & { kind: 'carillon' };

export interface MailOptions {
  readonly field: Field;
  readonly folder: string;
  /** Users of the list. */
  readonly users: number;
  readonly rounds: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

/** Medians over campaigns, and memory over all of them. */
export interface Mail {
  readonly users: number;
  /** Whether emails are signed (DKIM, RSA with 2,048 bits). */
  readonly isSigned: boolean;
  /** Milliseconds from the request to its answer. */
  readonly answerMs: number;
  /** Emails per second, until the sink received the last one. */
  readonly sentPerSecond: number;
  /** CPU microseconds per email, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  /** CPU cores used by other programs during the measurement. */
  readonly otherCores: number;
  /**
   * Maximum resident memory of the server process in bytes: after the warm-up, after the first campaign, at the end.
   */
  readonly memoryBefore: number;
  readonly memoryFirst: number;
  readonly memoryEnd: number;
}

/** Measurement of one campaign. */
type Campaign = Pick<Mail, 'answerMs' | 'sentPerSecond' | 'cpu' | 'otherCores'>;

/** Sends an email with fields, a tracked link and a tracking image to mailing lists, without and with a signature. */
export async function mail(options: MailOptions): Promise<Mail[]> {
  return [await measure(options, false), await measure(options, true)];
}

async function measure(options: MailOptions, isSigned: boolean): Promise<Mail> {
  const { field, users, rounds, progress } = options;
  const folder = join(options.folder, isSigned ? 'signed' : 'plain');
  const sink = await startChild('mail-sink.ts');
  const port = await sink.ask<number>('listen');
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder,
    profile: options.profile,
    settings: {
      MAIL_RELAY_URL: `smtp://127.0.0.1:${port}`,
      MAIL_BOUNCE_DOMAIN: 'bounces.example.com',
      ...(isSigned && { MAIL_DKIM_DOMAIN: 'shop.example', MAIL_DKIM_KEY_FILE: await newKey(options.folder) }),
    },
  });
  const target = carillon.target as Target;
  const { target: database } = await attachEmbedded(folder);
  const sql = connect(database, { max: 2 });
  const cpu = (): Record<string, number> => ({ ...carillon.cpu(), sink: cpuOf(sink.pid) });
  const wait = { withinMs: 900_000, everyMs: 20 };
  let list = 0;
  let sent = 0;

  async function campaign(count: number): Promise<Campaign> {
    await fill(sql, target.username, ++list, count, sent);
    sent += count;
    const before = { own: cpu(), machine: cpuOfMachine() };
    const startedAt = performance.now();
    await send(target, list);
    const answerMs = performance.now() - startedAt;
    await until(async () => (await sink.ask<number>('count')) >= sent, 'all of it is sent', wait);
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = Object.entries(cpu()).map(([name, after]) => [name, after - before.own[name]!] as const);
    const own = used.reduce((sum, [, cores]) => sum + cores, 0);
    return {
      answerMs,
      sentPerSecond: count / seconds,
      cpu: Object.fromEntries(used.map(([name, each]) => [name, (each / count) * 1e6])),
      otherCores: Math.max(0, (cpuOfMachine() - before.machine - own) / seconds),
    };
  }

  try {
    progress('warming up');
    await campaign(WARM_UP);
    const memoryBefore = carillon.memory().most;
    let memoryFirst = 0;
    const campaigns: Campaign[] = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await campaign(users);
      campaigns.push(one);
      memoryFirst ||= carillon.memory().most;
      const each = Object.entries(one.cpu).map(([name, value]) => `${name} ${Math.round(value)}`);
      progress(
        `${isSigned ? 'signed' : 'plain'} mails, round ${round}: ${Math.round(one.sentPerSecond)} a second, CPU ${each.join(', ')} µs, others ${one.otherCores.toFixed(2)} cores`,
      );
    }
    const over = (figure: (one: Campaign) => number) => median(campaigns.map(figure));
    return {
      ...{ users, isSigned },
      answerMs: over(({ answerMs }) => answerMs),
      sentPerSecond: over(({ sentPerSecond }) => sentPerSecond),
      cpu: Object.fromEntries(Object.keys(cpu()).map((name) => [name, over((one) => one.cpu[name]!)])),
      otherCores: over(({ otherCores }) => otherCores),
      ...{ memoryBefore, memoryFirst, memoryEnd: carillon.memory().most },
    };
  } finally {
    await sql.end();
    await carillon.stop();
  }
}

/** Creates a key of 2,048 bits. Returns its file. */
async function newKey(folder: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const file = join(folder, 'dkim.pem');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
}

/** Creates a list with this many users directly in the tables. */
async function fill(sql: Sql, username: string, id: number, count: number, first: number): Promise<void> {
  const [account] = await sql<{ id: number }[]>`SELECT id FROM accounts WHERE username = ${username}`;
  const accountId = account!.id;
  await sql`
    INSERT INTO mail_lists (account_id, id, name, filling_id, user_count, active_count, created_at)
    VALUES (${accountId}, ${id}, 'bench', ${id}, ${count}, ${count}, ${Date.now()})`;
  await sql`
    INSERT INTO mail_users (account_id, id, address, address_key, first_name, created_at)
    SELECT ${accountId}::bigint, n, 'user' || n || '@example.net', 'user' || n || '@example.net', 'Dana', 0
    FROM generate_series(${first + 1}::int, ${first + count}::int) AS n`;
  await sql`
    INSERT INTO mail_members (account_id, filling_id, user_id, pending)
    SELECT ${accountId}::bigint, ${id}::bigint, n, false
    FROM generate_series(${first + 1}::int, ${first + count}::int) AS n`;
  await sql`ANALYZE mail_users, mail_members`;
}

async function send({ port, token }: Target, list: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/mail/campaigns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      from: { name: 'The shop', address: 'news@shop.example' },
      subject: 'News for {{FirstName}}',
      html: `<h1>Hello {{FirstName}}</h1>${'<p>All that is new in the shop this spring, in one mail.</p>'.repeat(20)}
        <p><a href="https://example.com/spring">Look</a></p>`,
      text: `Hello {{FirstName}}\n${'All that is new in the shop this spring, in one mail.\n'.repeat(20)}`,
      lists: [list],
    }),
  });
  if (response.status !== 202) throw new Error(`the campaign was refused: ${await response.text()}`);
}
