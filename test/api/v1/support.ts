import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Queryable, Sql } from '../../../server/database/connection.ts';
import { waitersFor } from '../../support/lock-waits.ts';
import { DEMO_TOKEN, type TestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Calls the API /v1 of a service. */
export interface V1 {
  get(path: string): Promise<Response>;
  post(path: string, body?: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
}

/** An import or export as the API shows it; an export has the first fields alone. */
export interface Job {
  readonly id: string;
  readonly list_id: string;
  readonly state: string;
  readonly problem: string | null;
  readonly bytes: number;
  readonly rows: number;
  readonly finished_at: string | null;
  readonly bytes_done: number;
  readonly added: number;
  readonly present: number;
  readonly refused: number;
  readonly refused_rows: readonly { line: number; reason: string }[];
}

/** The API of the service at `url`, for the account of a token. */
export function v1(url: string, token: string): V1 {
  const authorization = `Bearer ${token}`;
  return {
    get: (path) => fetch(`${url}/v1${path}`, { headers: { authorization } }),
    post: (path, body, headers) =>
      fetch(`${url}/v1${path}`, {
        method: 'POST',
        headers: { authorization, ...headers },
        body: (body as string | undefined) ?? null,
      }),
  };
}

/** The answer as JSON, which has to have this HTTP status. */
export async function json<T>(response: Response | Promise<Response>, status = 200): Promise<T> {
  const answer = await response;
  assert.equal(answer.status, status);
  return (await answer.json()) as T;
}

/** Waits until an import or export has ended. */
export function ended(api: V1, path: string): Promise<Job> {
  return waitFor(`the end of ${path}`, async () => {
    const job = await json<Job>(api.get(path));
    return job.finished_at !== null && job;
  });
}

/** The lines of the report about refused rows, in its order. */
export async function refusedLines(api: V1, id: string): Promise<number[]> {
  const report = await (await api.get(`/imports/${id}/refused`)).text();
  const [names, ...rows] = report.trim().split('\r\n');
  assert.equal(names, 'line,reason');
  return rows.map((row) => Number(row.split(',')[0]));
}

/** What tests of contact lists do for the demo account of a service. */
export function contactListsOf({ url, sql, call }: TestService) {
  const api = v1(url, DEMO_TOKEN);
  return {
    api,
    /** A new list with these contacts; its id. */
    async newList(...contacts: { phone: string; df1?: string; df2?: string }[]): Promise<string> {
      const answer = await call('json', 'newCL', {
        cl: { name: 'list', destinations: { destination: contacts } },
      });
      assert.equal(answer.status, 0);
      return (answer.fields.identifiers as string[])[0]!;
    },
    /** Imports a file to the end. */
    async importFile(list: string, file: string | Uint8Array, query = ''): Promise<Job> {
      const { id } = await json<Job>(api.post(`/contact-lists/${list}/import${query}`, file), 202);
      return ended(api, `/imports/${id}`);
    },
    showList: (list: string) => json<{ columns: string[]; count: number }>(api.get(`/contact-lists/${list}`)),
    /** What the database has of a list, by phone. */
    async contactsOf(list: string): Promise<(string | null)[][]> {
      const rows = await sql`
        SELECT phone, df1, df2, df3 FROM contacts WHERE list_id = ${Number(list)} ORDER BY phone`;
      return rows.map(({ phone, df1, df2, df3 }) => [phone, df1, df2, df3]);
    },
    /** A file that the API answers with, its byte-order mark included. */
    async download(path: string): Promise<string> {
      const response = await api.get(path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
      return Buffer.from(await response.arrayBuffer()).toString();
    },
    async chunks(): Promise<number> {
      return (await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM csv_chunks`)[0]!.count;
    },
  };
}

/** A different mobile for each index; local as in files, international as in the database. */
export const localPhone = (index: number) => `05${20_000_000 + index}`;
export const storedPhone = (index: number) => `9725${20_000_000 + index}`;

/** Rows of a file, about 120 bytes each: 25,000 are three chunks, which take an import two turns. */
export function manyRows(count: number, first = 0): string {
  const field = 'x'.repeat(100);
  return Array.from({ length: count }, (_, index) => `${localPhone(first + index)},${field}\n`).join('');
}

/** A place in its work that a job does not get past before the test opens it, or ends. */
export interface Gate {
  /** Waits until somebody stands before it. */
  reached(): Promise<void>;
  open(): Promise<void>;
}

/** Stops the import that comes to this phone (E.164 digits): somebody else is just adding it to the list. */
export function gateBeforePhone(
  test: TestContext,
  sql: Sql,
  accountId: number,
  listId: string,
  phone: string,
): Promise<Gate> {
  return closeGate(
    test,
    sql,
    (tx) => tx`
      INSERT INTO contacts (account_id, list_id, phone) VALUES (${accountId}, ${Number(listId)}, ${phone})`,
  );
}

/** Stops the job that is about to write this chunk of its file. */
export function gateBeforeChunk(
  test: TestContext,
  sql: Sql,
  accountId: number,
  jobId: string,
  sequence: number,
): Promise<Gate> {
  return closeGate(
    test,
    sql,
    (tx) => tx`
      INSERT INTO csv_chunks (account_id, job_id, sequence, data)
      VALUES (${accountId}, ${Number(jobId)}, ${sequence}, ''::bytea)`,
  );
}

/** `hold` inserts a row and does not commit: whoever wants to insert it, too, waits until the gate opens. */
async function closeGate(
  test: TestContext,
  sql: Sql,
  hold: (tx: Queryable) => Promise<unknown>,
): Promise<Gate> {
  const connection = await sql.reserve();
  await connection`BEGIN`;
  await hold(connection);
  let closed = true;
  const open = async () => {
    if (!closed) return;
    closed = false;
    await connection`ROLLBACK`;
    connection.release();
  };
  test.after(open);
  return {
    reached: async () => {
      await waitFor('somebody stands before the gate', async () => {
        const waiters = await waitersFor(connection);
        return waiters.length > 0;
      });
    },
    open,
  };
}

/** Synchronizes the templates of a business number. The service also does it by itself, and only one at a time can. */
export async function syncTemplates<T>(api: V1, phone: string): Promise<T> {
  const answer = await waitFor('no other synchronization', async () => {
    const response = await api.post(`/chat/numbers/${phone}/sync`);
    return response.status !== 409 && response;
  });
  return json<T>(answer);
}
