import { idFloor, timeOfId } from '../kit/ids.ts';
import type { Query, Queryable, Row } from './connection.ts';

/*
 * Each module declares its tables in a file `tables.ts` of its folder (docs/decisions/0038-modules-and-tables.md). `Tables`
 * collects the declarations; placement on Citus, partitions, key rotation, retention and leases read them from there.
 */

/**
 * The table that the other tables by account are placed with: all rows of an account are in one shard group, so that its
 * statements reach one node.
 */
export const FIRST_TABLE = 'wallets';

/**
 * Where the rows of a table are on a PostgreSQL distributed by Citus (docs/decisions/0005-sql-that-can-be-distributed.md):
 * - `account`: by `account_id`
 * - `coordinator`: on the coordinator alone, for small tables, with keys or locks of the whole installation, or looked through
 *   for work of any account. As reference tables they could not be written while one worker is down.
 * - `by`: by another column, for tables whose look-ups know only this column
 */
export type Placement = 'account' | 'coordinator' | { readonly by: string };

export type PartitionUnit = 'month' | 'week' | 'day';

/** How many days are kept of what the settings decide. */
export interface KeepingTimes {
  readonly KEEP_DAYS: number;
  readonly REQUEST_LOG_DAYS: number;
}

/** A key that grows with time. */
export interface PartitionKey {
  /** Returns the smallest key of a time. */
  floor(time: number): number;
  /** Returns the time of a key, exact to the unit of the partitions. */
  timeOf(key: number): number;
}

const ids: PartitionKey = { floor: idFloor, timeOf: timeOfId };

/** Partitions of a table that grows. A partition is dropped whole when its keeping time is over. */
export interface PartitionSpec {
  readonly unit: PartitionUnit;
  /** How many days are kept, or the setting that says it; `KEEP_DAYS` without it. */
  readonly keepDays?: number | keyof KeepingTimes;
  /** Ids without it. */
  readonly key?: PartitionKey;
  /** Percentage of a page that inserts fill. Room for the second version of a row lets updates of results touch no index. */
  readonly fillfactor?: number;
}

/** A column of sealed values. A rotation of the key makes the values of an undeclared column unreadable. */
export interface SealedSpec {
  /** The table's primary key. Its values, with a slash between, are the row that the value is sealed for. */
  readonly key: readonly [string, ...string[]];
  /** The purpose that the values are sealed for; `table.column` without it. */
  readonly purpose?: string;
  /**
   * Where the secret is sent: the settings of the row that name the destination (`keepSecret` of secrets/destinations.ts);
   * `configuration` where only the configuration of the service names it; `nowhere`: it never leaves the service as it is.
   */
  readonly sentTo: readonly string[] | 'configuration' | 'nowhere';
  /** Versions before migration 0022 stored it plain (secrets/reseal.ts). */
  readonly wasPlain?: boolean;
}

/** A table whose rows are deleted by their age alone. Its primary key is the account and `id`. */
export interface AgeSpec {
  /** A kind of retention (modules/retention/kinds.ts). */
  readonly kind: string;
  /** Condition for rows that may go, of the table `t`; all without it. */
  readonly which?: (sql: Queryable) => Query<Row[]>;
}

/** Rows that belong to a shipment, and go with it. */
export interface ShipmentSpec {
  /** Column of the id of the shipment. */
  readonly column: string;
  /** Column in whose order rows are deleted in statements of 1,000, where a shipment has many of them. */
  readonly manyBy?: string;
  /** Rows of a shipment have its text alone: they go with the texts. */
  readonly isText?: true;
}

export interface TableSpec {
  readonly placement: Placement;
  readonly partition?: PartitionSpec;
  /** By columns. */
  readonly sealed?: Readonly<Record<string, SealedSpec>>;
  readonly retention?: AgeSpec;
  readonly shipment?: ShipmentSpec;
  /** Assignments of SQL that take the text from a row of what came in; `text_removed` is set with them. */
  readonly withoutText?: string;
  /**
   * One claim at a time works on a row: the one that `lease_owner` names, until `lease_until`. All leases end when the one
   * process of an embedded database starts (leases.ts).
   */
  readonly leased?: true;
  /**
   * `erased`: a part exports and erases what it has about a person (modules/personal-data/part.ts); `none`: why no part does. Required of
   * tables with texts (test/modules/data-subjects/tables.test.ts).
   */
  readonly personalData?: 'erased' | { readonly none: string };
}

/** Reasons why no part takes care of a table, where many tables have the same. */
export const noPersonalData = {
  settings: { none: 'what the account is and has set up, no data of its recipients' },
  content: { none: 'what an account writes to everybody, without recipients' },
  counts: { none: 'counts, money and work, by ids' },
  installation: { none: 'the installation itself' },
} as const;

/** Declarations of tables, by their names. */
export type TableSet = Readonly<Record<string, TableSpec>>;

/** Declares the tables of a module. */
export const defineTables = <const T extends TableSet>(tables: T): T => tables;

/** Where the rows of a table are: by a column, or undefined for the coordinator. */
export interface TablePlacement {
  readonly table: string;
  readonly column: string | undefined;
}

/** A table with partitions. */
export interface Partitioned extends Required<Omit<PartitionSpec, 'fillfactor'>> {
  readonly table: string;
  readonly fillfactor: number | undefined;
}

/** A column of sealed values. */
export interface SealedColumn extends Required<SealedSpec> {
  readonly table: string;
  readonly column: string;
}

/** A table whose rows are deleted by their age alone. */
export interface AgedTable extends AgeSpec {
  readonly table: string;
}

/** The tables of all modules and channels. */
export class Tables {
  readonly #specs: ReadonlyMap<string, TableSpec>;

  /** Folders with migrations of channels. migrations/ has the migrations of the service. */
  readonly migrationFolders: readonly URL[];

  /** Throws Error for a table that two sets declare. */
  constructor(sets: readonly TableSet[], migrationFolders: readonly URL[]) {
    this.migrationFolders = migrationFolders;
    const entries = sets.flatMap((set) => Object.entries(set));
    this.#specs = new Map(entries);
    if (this.#specs.size < entries.length) throw new Error('a table is declared twice');
  }

  /** Every table once, in the order in which they are distributed: the first is the one that others are placed with. */
  get placements(): readonly TablePlacement[] {
    const all = this.#list(({ placement }, table) => ({ table, column: columnOf(placement) }));
    return [
      ...all.filter(({ table }) => table === FIRST_TABLE),
      ...all.filter(({ table }) => table !== FIRST_TABLE),
    ];
  }

  get partitioned(): readonly Partitioned[] {
    return this.#list(
      ({ partition }, table) =>
        partition && {
          table,
          unit: partition.unit,
          keepDays: partition.keepDays ?? 'KEEP_DAYS',
          key: partition.key ?? ids,
          fillfactor: partition.fillfactor,
        },
    );
  }

  get sealedColumns(): readonly SealedColumn[] {
    return this.#list(
      ({ sealed }, table) =>
        sealed && Object.entries(sealed).map(([column, spec]) => sealedColumn(table, column, spec)),
    ).flat();
  }

  get aged(): readonly AgedTable[] {
    return this.#list(({ retention }, table) => retention && { table, ...retention });
  }

  /** Tables with rows of shipments; `shipments` itself is the last. */
  get ofShipments(): readonly (ShipmentSpec & { readonly table: string })[] {
    const all = this.#list(({ shipment }, table) => shipment && { table, ...shipment });
    return [
      ...all.filter(({ table }) => table !== 'shipments'),
      ...all.filter(({ table }) => table === 'shipments'),
    ];
  }

  /** Tables of what came in, with the assignments that take the text from a row. */
  get withTexts(): readonly { readonly table: string; readonly emptied: string }[] {
    return this.#list(({ withoutText }, table) =>
      withoutText === undefined ? undefined : { table, emptied: withoutText },
    );
  }

  get leased(): readonly string[] {
    return this.#list(({ leased }, table) => leased && table);
  }

  /** Tables that parts take care of. */
  get erased(): readonly string[] {
    return this.#list(({ personalData }, table) => (personalData === 'erased' ? table : undefined));
  }

  /** Tables with texts that no part takes care of. */
  get withoutPersonalData(): readonly string[] {
    return this.#list(({ personalData }, table) =>
      personalData === undefined || personalData === 'erased' ? undefined : table,
    );
  }

  #list<T>(pick: (spec: TableSpec, table: string) => T | undefined): T[] {
    return [...this.#specs].flatMap(([table, spec]) => pick(spec, table) ?? []) as T[];
  }
}

const columnOf = (placement: Placement): string | undefined =>
  placement === 'account' ? 'account_id' : placement === 'coordinator' ? undefined : placement.by;

const sealedColumn = (table: string, column: string, spec: SealedSpec): SealedColumn => ({
  table,
  column,
  purpose: `${table}.${column}`,
  wasPlain: false,
  ...spec,
});
