import { randomBytes } from 'node:crypto';
import type { Sql } from '../database/connection.ts';
import { addTextOpener, type SealedText } from '../database/sealed-text.ts';
import { Loop } from '../kit/loop.ts';
import type { Logger } from '../kit/observability/log.ts';
import { existingInstallationKey, installationKey } from './installation-keys.ts';
import type { SecretBox } from './secret-box.ts';
import { TextSeal } from './text-seal.ts';

/** Storage of message texts, from the most open to the strictest mode (docs/data.md, "Texts"). */
export const textModes = ['plain', 'sealed', 'none'] as const;
export type TextMode = (typeof textModes)[number];

/** Returns the stricter of two modes. */
export const stricter = (one: TextMode, other: TextMode): TextMode =>
  textModes[Math.max(textModes.indexOf(one), textModes.indexOf(other))]!;

/** Milliseconds until a change by another process takes effect. */
const RELOAD_MS = 1_000;
const KEY_BYTES = 32;
/** Purpose of the key for texts. */
export const TEXTS = 'texts';

interface TextStorageDeps {
  readonly sql: Sql;
  readonly log: Logger;
  /** Undefined if the key is lost: then no text can be decrypted, and none is stored (carillon secrets lost). */
  readonly secrets: SecretBox | undefined;
  /** Mode from the settings. */
  readonly mode: TextMode;
  /** Does not create the key for texts if it is missing. */
  readonly readOnly?: boolean;
}

/**
 * Stores texts in the mode of each account, and encrypts them where needed. Readers do not depend on the mode
 * (database/sealed-text.ts).
 */
export class TextStorage {
  /** Mode from the settings. No account has a less strict one. */
  readonly installation: TextMode;
  readonly #sql: Sql;
  readonly #seal: TextSeal;
  readonly #loop: Loop;
  readonly #endOpening: () => void;
  /** Accounts with a stricter mode. */
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

  /**
   * Reads the modes, and creates the key for texts if it is missing. Throws database errors, and SealedValueError if
   * the key for texts cannot be decrypted.
   */
  static async open(deps: TextStorageDeps): Promise<TextStorage> {
    const { sql, secrets, readOnly } = deps;
    const find = readOnly ? existingInstallationKey : installationKey;
    const key = (secrets && (await find(sql, secrets, TEXTS))) ?? randomBytes(KEY_BYTES);
    const storage = new TextStorage(deps, new TextSeal(key));
    await storage.reload();
    return storage;
  }

  /** Begins to follow changes by other processes. */
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

  /** Returns the storage mode of an account's texts. */
  modeOf(accountId: number): TextMode {
    const asked = this.#modes.get(accountId);
    return asked === undefined ? this.installation : stricter(asked, this.installation);
  }

  /** Returns the stored form of a text that is still needed: plain, or encrypted. */
  waiting(accountId: number, text: string): string | SealedText {
    return this.modeOf(accountId) === 'plain' ? text : this.sealed(accountId, text);
  }

  /** Encrypts a text in any mode. */
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

  /** Returns the stored form of a text that is no longer needed; null if it is not kept. */
  kept(accountId: number, text: string): string | SealedText | null {
    return this.modeOf(accountId) === 'none' ? null : this.waiting(accountId, text);
  }
}
