import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { allCalledBack, type Field, quiet, seen } from '../support/field.ts';
import { until } from '../support/wait.ts';
import { startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

const SMALL = 1_000;
/** Number of sends to the small list, so that the program is as warm as with the large one. */
const SMALL_SENDS = 100;

type Target = LoadTarget & { kind: 'carillon' };

export interface ListsOptions {
  readonly field: Field;
  readonly folder: string;
  /** Contacts of the large list. */
  readonly contacts: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface Lists {
  readonly contacts: number;
  /** Milliseconds from the request to its answer. */
  readonly answerMs: number;
  /** Messages per second: creation from the list, and until the callback of the last one. */
  readonly madePerSecond: number;
  readonly endToEndPerSecond: number;
  /**
   * Maximum resident memory of the server process in bytes: after many sends to a list of 1,000, and after the large
   * one.
   */
  readonly memorySmall: number;
  readonly memoryLarge: number;
}

/** Sends to a list of a thousand and to a large one, with a field, a short link and a removal link in the text. */
export async function lists(options: ListsOptions): Promise<Lists> {
  const { field, folder, contacts, progress } = options;
  const { smscPort, callbackPort } = field;
  const carillon = await startCarillon({ smscPort, callbackPort, folder, profile: options.profile });
  const target = carillon.target as Target;
  const database = await attachEmbedded(folder);
  const sql = connect(database.target, { max: 2 });
  try {
    const small = await fill(sql, target.username, 1, SMALL, 0);
    const large = await fill(sql, target.username, 2, contacts, SMALL);
    progress(`a list of ${SMALL}, ${SMALL_SENDS} times`);
    for (let i = 0; i < SMALL_SENDS; i++) await sendTo(small, SMALL);
    await quiet(field, [carillon]);
    const memorySmall = carillon.memory().most;
    progress(`a list of ${contacts}`);
    const { answerMs, madeMs, allMs } = await sendTo(large, contacts);
    const memoryLarge = carillon.memory().most;
    const rate = (milliseconds: number) => contacts / (milliseconds / 1_000);
    return {
      contacts,
      answerMs,
      madePerSecond: rate(madeMs),
      endToEndPerSecond: rate(allMs),
      memorySmall,
      memoryLarge,
    };
  } finally {
    await sql.end();
    await carillon.stop();
  }

  async function sendTo(list: number, count: number) {
    const { count: before } = await seen(field);
    const startedAt = performance.now();
    await send(target, list);
    const answerMs = performance.now() - startedAt;
    const through = async () =>
      (await sql`SELECT 1 FROM campaigns WHERE next_at IS NOT NULL LIMIT 1`).length === 0;
    await until(through, 'the list is through', { withinMs: 600_000, everyMs: 20 });
    const madeMs = performance.now() - startedAt;
    await allCalledBack(field, carillon.name, before + count);
    return { answerMs, madeMs, allMs: performance.now() - startedAt };
  }
}

/** Creates a list with this many contacts directly in the tables. */
async function fill(sql: Sql, username: string, id: number, count: number, first: number): Promise<number> {
  const [account] = await sql<{ id: number }[]>`SELECT id FROM accounts WHERE username = ${username}`;
  await sql`
    INSERT INTO contact_lists (account_id, id, name, width, count, created_at)
    VALUES (${account!.id}, ${id}, 'bench', 1, ${count}, ${Date.now()})`;
  await sql`
    INSERT INTO contacts (account_id, list_id, phone, df1)
    -- None of those whose ending has a meaning in the sandbox.
    SELECT ${account!.id}::bigint, ${id}::bigint, (972520000007 + (${first} + n) * 10)::text, 'name ' || n
    FROM generate_series(0, ${count - 1}) n`;
  await sql`ANALYZE contacts`;
  return id;
}

async function send({ port, token, username }: Target, list: number): Promise<void> {
  const sms = {
    user: { username },
    source: 'Carillon',
    destinations: { cl_id: String(list) },
    message: 'Hello [DYNAMIC_FIELD1], see [link-1]',
    add_dynamic: 1,
    add_unsubscribe: 3,
    links: { link: { $: { id: '1' }, _: 'https://example.com/sale' } },
  };
  const response = await fetch(`http://127.0.0.1:${port}/api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ sms }),
  });
  const answer = (await response.json()) as { status: number; message: string };
  if (answer.status !== 0) throw new Error(`the send was refused: ${answer.message}`);
}
