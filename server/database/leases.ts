import type { Sql } from './connection.ts';

/** Tables whose rows one process at a time works on: the one that `lease_owner` names, until `lease_until`. */
type LeasedTable =
  | 'campaigns'
  | 'chat_template_submissions'
  | 'chat_template_syncs'
  | 'csv_jobs'
  | 'data_subject_requests'
  | 'links'
  | 'media';

/**
 * Ends every lease of tables: only for the one process of an embedded database, when it starts, since nobody else can hold
 * one. Batches have rules of their own (dispatch/batches.ts).
 */
export async function endLeases(sql: Sql, ...tables: readonly LeasedTable[]): Promise<void> {
  await Promise.all(
    tables.map((table) => sql`UPDATE ${sql(table)} SET lease_until = 0 WHERE lease_until > 0`),
  );
}
