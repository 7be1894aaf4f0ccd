import type { Queryable } from './connection.ts';
import { ofDebited, type RowAccounts } from './row-accounts.ts';
import type { Query } from './sql.ts';

type Part = Query<readonly object[]>;

/** A table of a module whose rows are stored with shipments, in the same statement. */
export interface TableBeside<Row> {
  /** Returns the CTE, with a name that no other table has, that inserts the rows of accounts that pay. */
  cte(sql: Queryable, accounts: RowAccounts, rows: readonly Row[]): Part;
}

/** Rows that a request stores with its shipment. */
export interface RowsBeside {
  readonly table: TableBeside<unknown>;
  /** Returns the rows of a shipment. */
  rows(shipment: StoredShipment): readonly unknown[];
}

/** A shipment before it is stored, with the messages that are stored with it. */
interface StoredShipment {
  readonly id: number;
  readonly messages: readonly { readonly id: number }[];
}

/** Returns rows of one table for `ShipmentRequest.beside`. */
export const rowsBeside = <Row>(
  table: TableBeside<Row>,
  rows: (shipment: StoredShipment) => readonly Row[],
): RowsBeside => ({ table, rows });

/** A shipment whose request may store rows of modules. */
interface ShipmentBeside extends StoredShipment {
  readonly request: { readonly accountId: number; readonly beside?: readonly RowsBeside[] };
}

/** Returns the CTEs of the rows that shipments store in tables of modules, each after a comma. */
export function ctesBeside(sql: Queryable, shipments: readonly ShipmentBeside[]): Part {
  // Most requests store none.
  if (!shipments.some(({ request }) => request.beside)) return sql``;
  const rows = shipments.flatMap((shipment) => {
    const { accountId, beside = [] } = shipment.request;
    return beside.flatMap(({ table, rows: of }) => of(shipment).map((row) => ({ accountId, table, row })));
  });
  let ctes = sql``;
  for (const [table, mine] of Map.groupBy(rows, (one) => one.table)) {
    const accounts = ofDebited(
      sql,
      mine.map(({ accountId }) => accountId),
    );
    const cte = table.cte(
      sql,
      accounts,
      mine.map(({ row }) => row),
    );
    ctes = sql`${ctes}, ${cte}`;
  }
  return ctes;
}
