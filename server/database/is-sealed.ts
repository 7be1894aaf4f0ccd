import type { Query, Queryable, Row } from './connection.ts';

/**
 * Returns a condition that is true when a text in the database is encrypted (sealed-text.ts), for a column or an
 * expression.
 */
export const isSealed = (sql: Queryable, stored: Query<Row[]>) => sql`left(${stored}, 1) = chr(1)`;
