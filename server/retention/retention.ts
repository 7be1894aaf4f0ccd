import type { Context } from '../context.ts';
import type { Queryable } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { NoteChange } from '../people/people.ts';
import { stricter, type TextMode, type TextStorage } from '../secrets/text-storage.ts';
import { type Kept, keptOf, type RetentionKind, retentionKinds, type SomeDays } from './kinds.ts';

/** Days to set by kind; null: as long as may be. What is not named stays. */
export type DaysInput = Readonly<Partial<Record<RetentionKind, number | null>>>;

interface RetentionRow {
  readonly asked: SomeDays;
  readonly limits: SomeDays;
  /** How the account wants its texts stored; null: as the installation does. */
  readonly text_mode: TextMode | null;
}

const nothingSet: RetentionRow = { asked: {}, limits: {}, text_mode: null };

/** How the texts of an account are stored. */
export interface TextModes {
  readonly mode: TextMode;
  /** What the account wants; null: as the installation does. */
  readonly asked: TextMode | null;
  readonly installation: TextMode;
}

type RetentionDeps = Pick<Context, 'sql' | 'config'> & {
  readonly textStorage: Pick<TextStorage, 'installation' | 'modeOf' | 'hasNone' | 'reload'>;
};

/** How long each account keeps what: what it asks for, within what the operator allows it. */
export class Retention {
  readonly #deps: RetentionDeps;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** What is kept of an account. */
  async find(accountId: number): Promise<Kept> {
    return this.#keptOf(await read(this.#deps.sql, accountId));
  }

  /** Of all accounts, by their ids. */
  async ofAll(): Promise<Map<number, Kept>> {
    const rows = await this.#deps.sql<(RetentionRow & { id: number })[]>`
      SELECT a.id, coalesce(r.asked, '{}') AS asked, coalesce(r.limits, '{}') AS limits, r.text_mode
      FROM accounts a LEFT JOIN retention r ON r.account_id = a.id ORDER BY a.id`;
    return new Map(rows.map(({ id, ...row }) => [id, this.#keptOf(row)]));
  }

  /** Accounts that have their texts not stored, with what is kept of them; none without a look where nobody has. */
  async withoutTexts(): Promise<Map<number, Kept>> {
    const { textStorage } = this.#deps;
    if (!textStorage.hasNone) return new Map();
    return new Map([...(await this.ofAll())].filter(([id]) => textStorage.modeOf(id) === 'none'));
  }

  /** How the texts of an account are stored, and how it wants them. */
  async textModes(accountId: number): Promise<TextModes> {
    return this.#modesOf(await read(this.#deps.sql, accountId));
  }

  /** Sets how an account wants its texts stored, for what comes from then on; null: as the installation does. */
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

  /** Sets what an account asks for. Throws Refusal `bad-field` for days that it may not have. */
  async ask(accountId: number, input: DaysInput, note: NoteChange): Promise<Kept> {
    return this.#change(accountId, note, (row) => {
      const { least, limit } = boundsOf(this.#keptOf(row));
      check(input, least, limit);
      return { ...row, asked: merged(row.asked, input) };
    });
  }

  /**
   * Sets how long the operator lets an account keep what. What it asked for stays, and counts as far as the limit allows. Throws
   * Refusal `bad-field` for days beyond those of the installation.
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

/** The bounds of each kind, by their names. */
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
    throw new Refusal('bad-field', `must be ${least[kind]} to ${most[kind]} days`, kind, {
      reason: 'out-of-range',
      params: { min: least[kind], max: most[kind] },
    });
  }
}

/** What was set, with what is given; null takes away. */
function merged(before: SomeDays, input: DaysInput): SomeDays {
  return Object.fromEntries(
    retentionKinds.flatMap((kind) => {
      const days = input[kind] === undefined ? before[kind] : input[kind];
      return days === undefined || days === null ? [] : [[kind, days]];
    }),
  );
}
