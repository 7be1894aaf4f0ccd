import type { Queryable } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import type { CursorStore } from '../../protocols/http-carrier/poller.ts';

/** Cursors of providers that are polled, in `poll_cursors`. Only the process that holds a connector writes its cursors. */
export class PollCursors implements CursorStore {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
  }

  async read(connector: string, kind: string, url: string): Promise<string | undefined> {
    const [row] = await this.#deps.sql<{ cursor: string }[]>`
      SELECT cursor FROM poll_cursors WHERE connector = ${connector} AND kind = ${kind} AND url = ${url}`;
    return row?.cursor;
  }

  async write(connector: string, kind: string, url: string, cursor: string): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`
      INSERT INTO poll_cursors (connector, kind, url, cursor, changed_at)
      VALUES (${connector}, ${kind}, ${url}, ${cursor}, ${clock.now()})
      ON CONFLICT ON CONSTRAINT poll_cursors_pkey
        DO UPDATE SET url = excluded.url, cursor = excluded.cursor, changed_at = excluded.changed_at`;
  }
}

/** Forgets the cursors of a removed connector. */
export async function forgetCursors(sql: Queryable, connector: string): Promise<void> {
  await sql`DELETE FROM poll_cursors WHERE connector = ${connector}`;
}
