import type { Queryable } from '../../database/connection.ts';
import { TableCache } from '../../database/table-cache.ts';
import type { DltIds } from '../../engine/carriers/dlt.ts';
import type { Context } from '../../kit/context.ts';
import { badField } from '../../kit/errors.ts';
import type { Sources } from '../audience/sources.ts';

/** Milliseconds until a change by another process takes effect. */
const MAX_AGE_MS = 2_000;

/** Ids of the messages of a sender. */
export interface DltSender {
  readonly source: string;
  /** Null: that of the account. */
  readonly entity_id: string | null;
  /** Template of messages that name none. */
  readonly template_id: string | null;
}

/** Ids of an account on India's DLT platforms. */
export interface AccountDltIds {
  readonly entity_id: string | null;
  readonly senders: readonly DltSender[];
}

interface Known {
  readonly entity: string | undefined;
  /** By the stored form of the sender (`Sources.keyOf`). */
  readonly senders: ReadonlyMap<string, DltIds>;
}

const noIds: AccountDltIds = { entity_id: null, senders: [] };

/** The DLT ids of accounts: few accounts have some, so every process keeps all in memory. */
export class AccountsDltIds {
  readonly #deps: Pick<Context, 'sql' | 'clock'> & { readonly sources: Pick<Sources, 'keyOf'> };
  readonly #cache: TableCache<ReadonlyMap<number, Known>>;

  constructor(deps: Pick<Context, 'sql' | 'clock'> & { readonly sources: Pick<Sources, 'keyOf'> }) {
    this.#deps = deps;
    this.#cache = new TableCache({ owner: 'module dlt', maxAgeMs: MAX_AGE_MS, read: () => this.#read() });
  }

  /**
   * Returns the ids of messages from these senders, by the sender as given; undefined for an account without ids for them.
   * `sources` is called only if the account has ids.
   */
  async of(
    accountId: number,
    sources: () => ReadonlySet<string>,
  ): Promise<Readonly<Record<string, DltIds>> | undefined> {
    const known = (await this.#cache.fresh()).get(accountId);
    if (!known) return undefined;
    const { entity, senders } = known;
    const ids = [...sources()].flatMap((source): [string, DltIds][] => {
      const own = senders.get(this.#deps.sources.keyOf(source));
      if (!own && entity === undefined) return [];
      return [[source, { ...(entity !== undefined && { entity }), ...own }]];
    });
    return ids.length > 0 ? Object.fromEntries(ids) : undefined;
  }

  /** Returns the ids of an account. */
  find(accountId: number): Promise<AccountDltIds> {
    return readIds(this.#deps.sql, accountId);
  }

  /** Updates the given fields. Throws Refusal `bad-field` for a repeated sender. */
  async change(
    accountId: number,
    change: { readonly [K in keyof AccountDltIds]?: AccountDltIds[K] | undefined },
  ): Promise<{ before: AccountDltIds; after: AccountDltIds }> {
    const { sql, clock } = this.#deps;
    this.#check(change.senders ?? []);
    const both = await sql.begin(async (tx) => {
      await tx`
        INSERT INTO dlt_ids (account_id, entity_id, senders, updated_at) VALUES (${accountId}, NULL, '[]', 0)
        ON CONFLICT ON CONSTRAINT dlt_ids_pkey DO NOTHING`;
      await tx`SELECT FROM dlt_ids WHERE account_id = ${accountId} FOR UPDATE`;
      const before = await readIds(tx, accountId);
      const after = {
        entity_id: change.entity_id === undefined ? before.entity_id : change.entity_id,
        senders: change.senders ?? before.senders,
      };
      await tx`
        UPDATE dlt_ids SET entity_id = ${after.entity_id}, senders = ${tx.json(after.senders as never)},
          updated_at = ${clock.now()}
        WHERE account_id = ${accountId}`;
      return { before, after };
    });
    await this.#cache.reload();
    return both;
  }

  #check(senders: readonly DltSender[]): void {
    const keys = new Set<string>();
    for (const [index, { source }] of senders.entries()) {
      const key = this.#deps.sources.keyOf(source);
      if (keys.has(key)) throw badField(`senders[${index}].source`, 'given twice', 'repeated');
      keys.add(key);
    }
  }

  async #read(): Promise<ReadonlyMap<number, Known>> {
    const rows = await this.#deps.sql<
      { account_id: number; entity_id: string | null; senders: DltSender[] }[]
    >`
      SELECT account_id, entity_id, senders FROM dlt_ids`;
    return new Map(
      rows
        .filter(({ entity_id, senders }) => entity_id !== null || senders.length > 0)
        .map((row) => [
          row.account_id,
          {
            entity: row.entity_id ?? undefined,
            senders: new Map(row.senders.map((one) => [this.#deps.sources.keyOf(one.source), idsOf(one)])),
          },
        ]),
    );
  }
}

const idsOf = ({ entity_id: entity, template_id: template }: DltSender): DltIds => ({
  ...(entity !== null && { entity }),
  ...(template !== null && { template }),
});

async function readIds(sql: Queryable, accountId: number): Promise<AccountDltIds> {
  const [row] = await sql<AccountDltIds[]>`
    SELECT entity_id, senders FROM dlt_ids WHERE account_id = ${accountId}`;
  return row ?? noIds;
}
