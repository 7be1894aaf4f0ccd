import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { startChild } from '../support/child.ts';
import type { Field } from '../support/field.ts';
import { cpuOf } from '../support/proc.ts';
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
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface Mail {
  readonly users: number;
  /** From the request to its answer, in milliseconds. */
  readonly answerMs: number;
  /** Mails a second, until the sink had the last. */
  readonly sentPerSecond: number;
  /** CPU microseconds a mail, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Most resident memory of the server process in bytes: after the warm-up, half-way, at the end. */
  readonly memoryBefore: number;
  readonly memoryHalf: number;
  readonly memoryEnd: number;
}

/** Sends a mail with fields, a counted link and a counted image to a mailing list, through the sandbox's mail sink. */
export async function mail(options: MailOptions): Promise<Mail> {
  const { field, folder, users, progress } = options;
  const sink = await startChild('mail-sink.ts');
  const port = await sink.ask<number>('listen');
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder,
    profile: options.profile,
    settings: { MAIL_RELAY_URL: `smtp://127.0.0.1:${port}`, MAIL_BOUNCE_DOMAIN: 'bounces.example.com' },
  });
  const target = carillon.target as Target;
  const { target: database } = await attachEmbedded(folder);
  const sql = connect(database, { max: 2 });
  const cpu = () => ({ ...carillon.cpu(), sink: cpuOf(sink.pid) });
  const arrived = () => sink.ask<number>('count');
  const wait = { withinMs: 900_000, everyMs: 50 };
  try {
    progress('warming up');
    await fill(sql, target.username, 1, WARM_UP, 0);
    await send(target, 1);
    await until(async () => (await arrived()) >= WARM_UP, 'the warm-up is sent', wait);
    await fill(sql, target.username, 2, users, WARM_UP);

    progress(`a mail to ${users} users`);
    const memoryBefore = carillon.memory().most;
    const cpuBefore = cpu();
    const startedAt = performance.now();
    await send(target, 2);
    const answerMs = performance.now() - startedAt;
    const passed = (count: number) => async () => (await arrived()) >= WARM_UP + count;
    await until(passed(users / 2), 'half of it is sent', wait);
    const memoryHalf = carillon.memory().most;
    await until(passed(users), 'all of it is sent', wait);
    const sentMs = performance.now() - startedAt;
    const cpuAfter = cpu();
    return {
      users,
      answerMs,
      sentPerSecond: users / (sentMs / 1_000),
      cpu: Object.fromEntries(
        Object.entries(cpuAfter).map(([name, seconds]) => [
          name,
          ((seconds - cpuBefore[name as keyof typeof cpuBefore]!) / users) * 1e6,
        ]),
      ),
      memoryBefore,
      memoryHalf,
      memoryEnd: carillon.memory().most,
    };
  } finally {
    await sql.end();
    await carillon.stop();
  }
}

/** Makes a list of this many users, straight in the tables. */
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
