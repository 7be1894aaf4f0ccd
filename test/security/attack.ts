import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after } from 'node:test';
import type { Sql } from '../../server/database/connection.ts';

/* Tools of the tests in this folder: what an attacker has at hand. */

/**
 * A server on every address of this machine that must never be reached; `hits` has what reached it. `answer` makes it
 * answer other than 200.
 */
export async function startVictim(
  answer: RequestListener = (_request, response) => void response.end('secret'),
): Promise<{ readonly port: number; readonly hits: string[] }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, hits };
}

/**
 * Sends these very bytes to the service and collects everything it says until it closes the connection, or until
 * `enough` is satisfied. A client that never closes is closed after 10 s, and fails.
 */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  enough: (said: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`neither closed nor answered in full: ${said.slice(0, 500)}`));
    }, 10_000);
    const end = () => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(said);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      said += chunk;
      if (enough(said)) end();
    });
    socket.on('end', end);
    socket.on('error', end);
    socket.on('close', end);
  });
}

/** The status codes of the answers in what a connection said. */
export const statusesIn = (said: string): number[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** A value of JSON with `replace` called for each text in it, once at a time: one copy for each text. */
export function* withEachText(value: unknown, put: string): Generator<{ path: string; value: unknown }> {
  if (typeof value === 'string') {
    yield { path: '', value: put };
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      for (const inner of withEachText(entry, put)) {
        yield { path: `[${index}]${inner.path}`, value: value.with(index, inner.value) };
      }
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      for (const inner of withEachText(entry, put)) {
        yield { path: `.${name}${inner.path}`, value: { ...value, [name]: inner.value } };
      }
    }
  }
}

/** Fails when something was added to what every object, array or function inherits. */
export function assertCleanPrototypes(where: string): void {
  assert.deepEqual(Object.keys(Object.prototype), [], where);
  assert.equal(({} as Record<string, unknown>).polluted, undefined, where);
  assert.equal(([] as unknown as Record<string, unknown>).polluted, undefined, where);
  assert.equal((() => {}) instanceof Function && 'polluted' in Function.prototype, false, where);
}

/** The tables, columns and accounts of a database: what an injected statement would change first. */
export async function shapeOf(sql: Sql): Promise<Record<string, unknown>> {
  const [row] = await sql`
    SELECT (SELECT md5(string_agg(table_name || '.' || column_name, ',' ORDER BY table_name, column_name))
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name !~ '_p?\\d+$') AS columns,
      (SELECT count(*)::int FROM pg_roles) AS roles,
      (SELECT count(*)::int FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS functions`;
  return { ...row };
}
