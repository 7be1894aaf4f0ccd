import type { Readable } from 'node:stream';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import type { Kind } from './kinds.ts';
import type { Mentions } from './mentions.ts';
import type { DataSubject } from './subject.ts';

/*
 * How each module finds, exports and erases what its tables have about one person: it hands in a `PersonalDataPart`, and
 * data-subjects/ goes over all of them (docs/data.md). A table with texts that is of no part has a reason in
 * `personalData` of its declaration (database/define-tables.ts).
 */

/** Search for the data of a person. */
export interface Search {
  readonly sql: Sql;
  readonly accountId: number;
  readonly subject: DataSubject;
  readonly mentions: Mentions;
  /** Renews the lease of the work, between two statements. Throws if the lease is lost or the work should end. */
  keepLease(): Promise<void>;
}

/** An erasure in progress. */
export interface Erasure extends Search {
  readonly requestId: number;
  /** Returns the replacement of a number, address or id. */
  pseudonymOf(identifier: string): string;
  /** Deletes the contents of shipments whose recipients are all erased, in every part, within the transaction. */
  emptyShipments(tx: TransactionSql, shipmentIds: readonly number[]): Promise<void>;
}

/** Number of rows by kind. */
export type Counts = Partial<Record<Kind, number>>;

/** A row of an export: its fields by name. */
export interface ExportedRow {
  readonly kind: Kind;
  readonly row: Readonly<Record<string, unknown>>;
  /** A file of the row. */
  readonly file?: {
    /** A name that is safe in every file system. */
    readonly name: string;
    readonly size: number;
    read(): Promise<Readable | undefined>;
  };
}

/** A number or an address that the account itself uses: it is not data of somebody else, and erasing it would stop sends. */
export interface OwnUse {
  readonly identifier: string;
  readonly use: 'sender' | 'inbound-number' | 'business-number';
}

/** Personal data of one module. */
export interface PersonalDataPart {
  /** The tables that this part handles. */
  readonly tables: readonly string[];
  /** Identifiers that are of the same person for sure, or the spelling in which they are stored. */
  complete?(search: Pick<Search, 'sql' | 'accountId' | 'subject'>): Promise<Partial<DataSubject>>;
  /** Which of the identifiers the account itself uses. */
  ownUses?(search: Pick<Search, 'sql' | 'accountId' | 'subject'>): Promise<readonly OwnUse[]>;
  /** Counts the rows, without changing anything. */
  count(search: Search): Promise<Counts>;
  /** Yields all rows in a form that people can read. */
  rows(search: Search): AsyncIterable<ExportedRow>;
  /**
   * Erases all data of the person in statements of bounded size, and returns the counts. A repetition changes nothing.
   */
  erase(erasure: Erasure): Promise<Counts>;
  /** Cancels messages that wait to be sent to the person. Runs before the request for an erasure is answered, and again within `erase`. */
  cancelWaiting?(search: Search): Promise<void>;
  /** As `Erasure.emptyShipments`, for the data of shipments in this part. */
  emptyShipments?(tx: TransactionSql, accountId: number, shipmentIds: readonly number[]): Promise<void>;
  /** Whether running work, like an import, may still add personal data. */
  isBusy?(search: Search): Promise<boolean>;
}

/** Adds counts to `to`. */
export function addCounts(to: Counts, more: Counts): void {
  for (const [kind, count] of Object.entries(more)) {
    if (count > 0) to[kind as Kind] = (to[kind as Kind] ?? 0) + count;
  }
}

/** Returns the sum of all kinds. */
export const totalOf = (counts: Counts): number =>
  Object.values(counts).reduce((sum: number, count) => sum + count, 0);
