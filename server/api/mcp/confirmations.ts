import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../kit/clock.ts';
import { FINGERPRINT_BYTES, fingerprintOf } from '../send-keys/fingerprint.ts';
import { ToolError } from './tool-error.ts';

/** Milliseconds in which a person can read a dry run and agree to it. Prices and lists change later. */
const CONFIRMATION_MS = 10 * 60_000;
/** Random bytes that make the confirmations of two dry runs with the same arguments differ. */
const NONCE_BYTES = 6;
/** Terms in a value, before its digest. */
const TERMS = 5;
/** Characters of the hash of a text in a value. It detects changes; the digest prevents forgery. */
const HASH_LENGTH = 11;

const shortHash = (text: string) => hash('sha256', text, 'base64url').slice(0, HASH_LENGTH);

/** A tool that spends, the account that pays, and the arguments of the call. */
export interface Spending {
  readonly accountId: number;
  readonly tool: string;
  readonly content: object;
}

/** The result of a dry run that a confirmation agrees to. */
export interface Offer {
  /** Text that recipients read: a template can change after the dry run. */
  readonly text: string;
  /** Price in credits. */
  readonly cost: string;
  readonly recipients: number;
}

/** A confirmation of this service for these arguments. */
export interface Confirmed extends Omit<Offer, 'text'> {
  /** Whether it was issued for this text. */
  readonly isFor: (text: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The same for each use of the confirmation, and for no other one. */
  readonly sendKey: string;
}

/**
 * Values with which a client confirms the result of a dry run. A value has the price, the number of recipients, a hash of the text, the
 * expiry, and a keyed digest of these with the account and the arguments. So nothing is stored, and any process can check it.
 */
export class Confirmations {
  readonly #key: Buffer;
  readonly #clock: Clock;

  /** @param key a secret of the installation (secrets/installation-keys.ts) */
  constructor(key: Buffer, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  /** Returns a new value, and the time at which it expires. */
  async issue(
    spending: Spending,
    { text, cost, recipients }: Offer,
  ): Promise<{ value: string; expiresAt: number }> {
    const expiresAt = this.#clock.now() + CONFIRMATION_MS;
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const terms = [expiresAt.toString(36), nonce, cost, String(recipients), shortHash(text)];
    const digest = await this.#digestOf(spending, terms);
    return { value: [...terms, digest.toString('base64url')].join(':'), expiresAt };
  }

  /**
   * Returns the terms of a value. The caller decides whether they still hold. Throws ToolError `confirmation-invalid` for a value
   * that was not issued for this account and these arguments.
   */
  async read(spending: Spending, value: string): Promise<Confirmed> {
    const parts = value.split(':');
    const terms = parts.slice(0, -1);
    const given = Buffer.from(parts.at(-1)!, 'base64url');
    const isOwn =
      terms.length === TERMS &&
      given.length === FINGERPRINT_BYTES &&
      timingSafeEqual(given, await this.#digestOf(spending, terms));
    if (!isOwn) {
      throw confirmationError('invalid', 'was not issued for these arguments', spending.tool);
    }
    const [expiry, , cost, recipients, textHash] = terms as [string, string, string, string, string];
    return {
      isFor: (text) => shortHash(text) === textHash,
      expiresAt: Number.parseInt(expiry, 36),
      cost,
      recipients: Number(recipients),
      sendKey: `mcp ${given.toString('base64url')}`,
    };
  }

  #digestOf({ accountId, tool, content }: Spending, terms: readonly string[]): Promise<Buffer> {
    return fingerprintOf(this.#key, `mcp ${tool}`, [accountId, terms, content]);
  }
}

/** Refuses a confirmation. Nothing was sent. */
export const confirmationError = (
  why: 'invalid' | 'expired' | 'outdated',
  problem: string,
  tool: string,
): ToolError =>
  new ToolError({
    code: `confirmation-${why}`,
    message: `confirmation: ${problem}. Nothing was sent. Call ${tool} without it for a new dry run`,
    field: 'confirmation',
  });
