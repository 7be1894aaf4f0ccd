import postgres from 'postgres';

/** Numbers for int8: every id and time of ours is below 2^53. */
const types = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
};

export type Sql = postgres.Sql<{ bigint: number }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: number }>;
/** What a statement can run on: the pool, or a transaction of it. */
export type Queryable = Sql | TransactionSql;

/** Where a PostgreSQL is: an address, or the embedded one's socket folder with its password. */
export type DatabaseTarget =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly password: string; readonly database: string };

/**
 * Opens a pool. Connections are made when first needed. On Citus the two settings keep statements that touch
 * several shards from opening a connection for each (see docs/architecture.md, "Distributed by account").
 */
export function connect(
  target: DatabaseTarget,
  options: {
    max?: number;
    application?: string;
    /**
     * Commits without waiting for the disk: for leases and the removal of finished work, of which a power failure may
     * undo the last fraction of a second and nothing but repeated work comes of it.
     */
    relaxed?: boolean;
  } = {},
): Sql {
  const common = {
    types,
    max: options.max ?? 10,
    onnotice: () => {},
    connection: {
      application_name: options.application ?? 'carillon',
      ...(options.relaxed && { synchronous_commit: 'off' as const }),
    },
    connect_timeout: 10,
    // The wait before a reconnection. Short: requests wait for it, and readiness tells the outside meanwhile.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
  };
  if ('url' in target) {
    const url = new URL(target.url);
    // As in libpq, `?host=/folder` names the folder of a Unix socket, which postgres.js does not know.
    const folder = url.searchParams.get('host');
    if (folder === null) return postgres(target.url, common) as Sql;
    url.searchParams.delete('host');
    return postgres(url.href, { ...common, host: folder }) as Sql;
  }
  const { host, port, password, database } = target;
  return postgres({ ...common, host, port, database, username: 'carillon', password }) as Sql;
}

/**
 * The name of the constraint that a failed statement violated, or '' when it failed for another reason. On Citus
 * the field is empty and the name stands in the message, with the shard's number appended.
 */
export function violatedConstraint(error: unknown): string {
  if (!(error instanceof postgres.PostgresError)) return '';
  if (error.constraint_name) return error.constraint_name;
  const named = /constraint "([^"]+)"/.exec(error.message)?.[1] ?? '';
  return named.replace(/_\d+$/, '');
}
