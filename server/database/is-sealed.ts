import type { Query, Queryable, Row } from './connection.ts';

/** Whether a text in the database is sealed (sealed-text.ts), as a condition on a column or an expression. */
export const isSealed = (sql: Queryable, stored: Query<Row[]>) => sql`left(${stored}, 1) = chr(1)`;
