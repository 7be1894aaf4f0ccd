import type { Queryable } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField } from '../../kit/errors.ts';
import { stricter, type TextMode, type TextStorage } from '../../secrets/text-storage.ts';
import type { NoteChange } from '../people/people.ts';
import { type Kept, keptOf, type RetentionKind, retentionKinds, type SomeDays } from './kinds.ts';

/** Days to set by kind; null removes the limit. Missing kinds keep their value. */
export type DaysInput = Readonly<Partial<Record<RetentionKind, number | null>>>;

interface RetentionRow {
  readonly asked: SomeDays;
  readonly limits: SomeDays;
  /** Text storage that the account chose; null for the installation's. */
  readonly text_mode: TextMode | null;
}

const nothingSet: RetentionRow = { asked: {}, limits: {}, text_mode: null };

/** Text storage of an account. */
export interface TextModes {
  readonly mode: TextMode;
  /** Mode that the account chose; null for the installation's. */
  readonly asked: TextMode | null;
  readonly installation: TextMode;
}

type RetentionDeps = Pick<Context, 'sql' | 'config'> & {
  readonly textStorage: Pick<TextStorage, 'installation' | 'modeOf' | 'hasNone' | 'reload'>;
};

/** Retention of each account: its own choice within the operator's limits. */
export class Retention {
  readonly #deps: RetentionDeps;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** Returns the retention of an account. */
  async find(accountId: number): Promise<Kept> {
    return this.#keptOf(await read(this.#deps.sql, accountId));
  }

  /** Returns the retention of all accounts by account id. */
  async ofAll(): Promise<Map<number, Kept>> {
    const rows = await this.#deps.sql<(RetentionRow & { id: number })[]>`
      SELECT a.id, coalesce(r.asked, '{}') AS asked, coalesce(r.limits, '{}') AS limits, r.text_mode
      FROM accounts a LEFT JOIN retention r ON r.account_id = a.id ORDER BY a.id`;
    return new Map(rows.map(({ id, ...row }) => [id, this.#keptOf(row)]));
  }

  /** Accounts that do not store texts, with their retention; runs no query when no account has chosen this. */
  async withoutTexts(): Promise<Map<number, Kept>> {
    const { textStorage } = this.#deps;
    if (!textStorage.hasNone) return new Map();
    return new Map([...(await this.ofAll())].filter(([id]) => textStorage.modeOf(id) === 'none'));
  }

  /** Returns the text storage that applies to an account, and the account's own choice. */
  async textModes(accountId: number): Promise<TextModes> {
    return this.#modesOf(await read(this.#deps.sql, accountId));
  }

  /** Sets how an account stores its texts, for messages from now on; null for the installation's mode. */
  async changeTextMode(accountId: number, mode: TextMode | null, note: NoteChange): Promise<TextModes> {
    const { sql, textStorage } = this.#deps;
    const modes = await sql.begin(async (tx) => {
      await tx`INSERT INTO retention (account_id) VALUES (${accountId}) ON CONFLICT DO NOTHING`;
      const before = await read(tx, accountId, true);
      await tx`UPDATE retention SET text_mode = ${mode} WHERE account_id = ${accountId}`;
      const change = { before: { texts: before.text_mode }, after: { texts: mode } };
      await note(tx, { kind: 'retention', id: accountId, ...change });
      return this.#modesOf({ text_mode: mode });
    });
    await textStorage.reload();
    return modes;
  }

  #modesOf({ text_mode: asked }: Pick<RetentionRow, 'text_mode'>): TextModes {
    const { installation } = this.#deps.textStorage;
    return { mode: stricter(asked ?? installation, installation), asked, installation };
  }

  /** Sets the retention that an account chooses. Throws Refusal `bad-field` for days outside its bounds. */
  async ask(accountId: number, input: DaysInput, note: NoteChange): Promise<Kept> {
    return this.#change(accountId, note, (row) => {
      const { least, limit } = boundsOf(this.#keptOf(row));
      check(input, least, limit);
      return { ...row, asked: merged(row.asked, input) };
    });
  }

  /**
   * Sets the operator's maximum retention for an account. The account's own choice stays and applies within the limit.
   * Throws Refusal `bad-field` for days beyond those of the installation.
   */
  async limit(accountId: number, input: DaysInput, note: NoteChange): Promise<Kept> {
    return this.#change(accountId, note, (row) => {
      const { least, installation } = boundsOf(this.#keptOf(row));
      check(input, least, installation);
      return { ...row, limits: merged(row.limits, input) };
    });
  }

  #keptOf({ asked, limits, text_mode }: RetentionRow): Kept {
    return keptOf(this.#deps.config, asked, limits, this.#modesOf({ text_mode }).mode);
  }

  async #change(
    accountId: number,
    note: NoteChange,
    change: (row: RetentionRow) => RetentionRow,
  ): Promise<Kept> {
    return this.#deps.sql.begin(async (tx) => {
      await tx`INSERT INTO retention (account_id) VALUES (${accountId}) ON CONFLICT DO NOTHING`;
      const before = await read(tx, accountId, true);
      const after = change(before);
      await tx`
        UPDATE retention SET asked = ${tx.json(after.asked)}, limits = ${tx.json(after.limits)}
        WHERE account_id = ${accountId}`;
      const shown = ({ asked, limits }: RetentionRow) => ({ asked, limits });
      await note(tx, { kind: 'retention', id: accountId, before: shown(before), after: shown(after) });
      return this.#keptOf(after);
    });
  }
}

async function read(sql: Queryable, accountId: number, isLocked = false): Promise<RetentionRow> {
  const [row] = await sql<RetentionRow[]>`
    SELECT asked, limits, text_mode FROM retention WHERE account_id = ${accountId} ${isLocked ? sql`FOR UPDATE` : sql``}`;
  return row ?? nothingSet;
}

/** Bounds of each kind, by name. */
function boundsOf(kept: Kept) {
  const of = (bound: 'least' | 'limit' | 'installation') =>
    Object.fromEntries(retentionKinds.map((kind) => [kind, kept[kind][bound]])) as Record<
      RetentionKind,
      number
    >;
  return { least: of('least'), limit: of('limit'), installation: of('installation') };
}

function check(
  input: DaysInput,
  least: Readonly<Record<RetentionKind, number>>,
  most: Readonly<Record<RetentionKind, number>>,
): void {
  for (const kind of retentionKinds) {
    const days = input[kind];
    if (days === undefined || days === null || (days >= least[kind] && days <= most[kind])) continue;
    throw badField(kind, `must be ${least[kind]} to ${most[kind]} days`, 'out-of-range', {
      min: least[kind],
      max: most[kind],
    });
  }
}

/** Merges the input into the stored days; null removes a kind. */
function merged(before: SomeDays, input: DaysInput): SomeDays {
  return Object.fromEntries(
    retentionKinds.flatMap((kind) => {
      const days = input[kind] === undefined ? before[kind] : input[kind];
      return days === undefined || days === null ? [] : [[kind, days]];
    }),
  );
}
