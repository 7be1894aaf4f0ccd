import { createHash } from 'node:crypto';

/*
 * How rows of the consent log are chained (docs/data.md, "Consent log"): with this anybody can check an exported log.
 */

/** What a row says, as it is digested. */
export interface ChainedRow {
  readonly position: number;
  /** Hexadecimal. */
  readonly subjectDigest: string;
  readonly channel: string;
  readonly purpose: string;
  readonly action: string;
  /** Milliseconds since the epoch, like `recordedAt`. */
  readonly at: number;
  readonly recordedAt: number;
  readonly source: string;
  /** JSON, as it is stored. */
  readonly evidence: string;
}

/** What the first row of an account is chained to. */
export const GENESIS = Buffer.alloc(32);

/** The digest of a row: SHA-256 of the digest before and of the row as a JSON array. */
export function digestOf(previous: Uint8Array, row: ChainedRow): Buffer {
  const { position, subjectDigest, channel, purpose, action, at, recordedAt, source, evidence } = row;
  const text = JSON.stringify([
    position,
    subjectDigest,
    channel,
    purpose,
    action,
    at,
    recordedAt,
    source,
    evidence,
  ]);
  return createHash('sha256').update(previous).update(text).digest();
}
