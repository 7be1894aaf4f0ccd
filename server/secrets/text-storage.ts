import { randomBytes } from 'node:crypto';
import type { Sql } from '../database/connection.ts';
import { addTextOpener, type SealedText } from '../database/sealed-text.ts';
import { Loop } from '../loop.ts';
import type { Logger } from '../observability/log.ts';
import { existingInstallationKey, installationKey } from './installation-keys.ts';
import type { SecretBox } from './secret-box.ts';
import { TextSeal } from './text-seal.ts';

/** How the texts of messages stand in the database, from the openest to the strictest (docs/data.md, "Texts"). */
export const textModes = ['plain', 'sealed', 'none'] as const;
export type TextMode = (typeof textModes)[number];

/** The stricter of two. */
export const stricter = (one: TextMode, other: TextMode): TextMode =>
  textModes[Math.max(textModes.indexOf(one), textModes.indexOf(other))]!;

/** How long a change by another process may stay unseen. */
const RELOAD_MS = 1_000;
const KEY_BYTES = 32;
/** The purpose of the key of texts. */
export const TEXTS = 'texts';

interface TextStorageDeps {
  readonly sql: Sql;
  readonly log: Logger;
  /** Undefined when the key is lost: no text can be opened then, and none is stored (carillon secrets lost). */
  readonly secrets: SecretBox | undefined;
  /** That of the settings. */
  readonly mode: TextMode;
  /** Does not create the key of texts if it is missing. */
  readonly readOnly?: boolean;
}

/** Knows how each account has its texts stored, and seals those that are to be. Readers need not know (database/sealed-text.ts). */
export class TextStorage {
  /** That of the settings: no account has a less strict one. */
  readonly installation: TextMode;
  readonly #sql: Sql;
  readonly #seal: TextSeal;
  readonly #loop: Loop;
  readonly #endOpening: () => void;
  /** Accounts that want something stricter. */
  #modes: ReadonlyMap<number, TextMode> = new Map();

  private constructor({ sql, log, mode }: TextStorageDeps, seal: TextSeal) {
    this.#sql = sql;
    this.#seal = seal;
    this.installation = mode;
    this.#endOpening = addTextOpener((sealed) => seal.open(sealed));
    this.#loop = new Loop({
      owner: 'text storage',
      everyMs: RELOAD_MS,
      step: () => this.reload(),
      log,
      failed: 'text storage modes not read, retrying',
    });
  }

  /** Reads it, and makes the key of texts first. Throws what the database throws, and SealedValueError when the key of texts cannot be opened. */
  static async open(deps: TextStorageDeps): Promise<TextStorage> {
    const { sql, secrets, readOnly } = deps;
    const find = readOnly ? existingInstallationKey : installationKey;
    const key = (secrets && (await find(sql, secrets, TEXTS))) ?? randomBytes(KEY_BYTES);
    const storage = new TextStorage(deps, new TextSeal(key));
    await storage.reload();
    return storage;
  }

  /** Follows changes by other processes from now on. */
  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#endOpening();
  }

  async reload(): Promise<void> {
    const rows = await this.#sql<{ account_id: number; text_mode: TextMode }[]>`
      SELECT account_id, text_mode FROM retention WHERE text_mode IS NOT NULL`;
    this.#modes = new Map(rows.map((row) => [row.account_id, row.text_mode]));
  }

  /** How the texts of an account are stored. */
  modeOf(accountId: number): TextMode {
    const asked = this.#modes.get(accountId);
    return asked === undefined ? this.installation : stricter(asked, this.installation);
  }

  /** A text that something waits for: as it is, or sealed. */
  waiting(accountId: number, text: string): string | SealedText {
    return this.modeOf(accountId) === 'plain' ? text : this.sealed(accountId, text);
  }

  /** A text sealed, whatever the account wants. */
  sealed(accountId: number, text: string): SealedText {
    return this.#seal.seal(accountId, text);
  }

  /** Whether texts of any account are encrypted. */
  get isUsed(): boolean {
    return this.installation !== 'plain' || [...this.#modes.values()].some((mode) => mode !== 'plain');
  }

  /** Whether any account has its texts not stored. */
  get hasNone(): boolean {
    return this.installation === 'none' || [...this.#modes.values()].includes('none');
  }

  without(accountIds: readonly number[]): readonly number[] {
    if (this.installation !== 'none' && this.#modes.size === 0) return [];
    return accountIds.filter((accountId) => this.modeOf(accountId) === 'none');
  }

  /** A text that nobody waits for any more; null where it is not kept. */
  kept(accountId: number, text: string): string | SealedText | null {
    return this.modeOf(accountId) === 'none' ? null : this.waiting(accountId, text);
  }
}
