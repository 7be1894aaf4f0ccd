import { createHmac } from 'node:crypto';
import type { Queryable } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { installationKey } from '../../secrets/installation-keys.ts';

const DAY_MS = 86_400_000;
/**
 * Questions that one recipient gets in a day from all accounts together. Phones get more because people ask for their own
 * number again when an SMS is late.
 */
const MAX_QUESTIONS = { mail: 3, phone: 5 } as const;
const PURPOSE = 'asked-recipients';

type RecipientKind = keyof typeof MAX_QUESTIONS;

/**
 * Limits how often one address or number is asked to confirm something, over all accounts and whatever the question is:
 * mailing lists, recipients of alerts, senders. A question is a message that its recipient may not have caused.
 */
export class Questions {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;
  readonly #key: Buffer;

  private constructor(deps: Pick<Context, 'sql' | 'clock'>, key: Buffer) {
    this.#deps = deps;
    this.#key = key;
  }

  /** Reads the key of the digests first: in a transaction it would need a second connection. */
  static async open(deps: Pick<Context, 'sql' | 'clock' | 'secrets'>): Promise<Questions> {
    return new Questions(deps, await installationKey(deps.sql, deps.secrets, PURPOSE));
  }

  /**
   * Takes one question for each of these recipients in the transaction of the caller. Returns the recipients over the limit
   * with the time from which they can be asked again, in milliseconds since the epoch. A recipient is the key of an
   * address (`mailAddressKey`), or the E.164 digits of a phone.
   */
  async take(
    tx: Queryable,
    kind: RecipientKind,
    recipients: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const { clock } = this.#deps;
    const now = clock.now();
    const byDigest = new Map(
      recipients.map((recipient) => [digestOf(this.#key, kind, recipient), recipient]),
    );
    const digests = [...byDigest.keys()];
    // In one order for all, so that two transactions cannot deadlock.
    const taken = await tx<{ digest: string }[]>`
      INSERT INTO asked_recipients AS a (digest, count, began_at)
      SELECT decode(u.digest, 'hex'), 1, ${now} FROM unnest(${digests}::text[]) AS u (digest) ORDER BY u.digest
      ON CONFLICT ON CONSTRAINT asked_recipients_pkey DO UPDATE
      SET count = CASE WHEN a.began_at <= ${now - DAY_MS} THEN 1 ELSE a.count + 1 END,
        began_at = CASE WHEN a.began_at <= ${now - DAY_MS} THEN excluded.began_at ELSE a.began_at END
      WHERE a.began_at <= ${now - DAY_MS} OR a.count < ${MAX_QUESTIONS[kind]}
      RETURNING encode(digest, 'hex') AS digest`;
    for (const { digest } of taken) byDigest.delete(digest);
    if (byDigest.size === 0) return new Map();
    const over = await tx<{ digest: string; began_at: number }[]>`
      SELECT u.digest, a.began_at FROM unnest(${[...byDigest.keys()]}::text[]) AS u (digest)
      JOIN asked_recipients a ON a.digest = decode(u.digest, 'hex')`;
    return new Map(over.map(({ digest, began_at }) => [byDigest.get(digest)!, began_at + DAY_MS]));
  }

  /** Deletes what is older than a day. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM asked_recipients WHERE began_at <= ${clock.now() - DAY_MS}`;
  }
}

const digestOf = (key: Buffer, kind: RecipientKind, recipient: string): string =>
  createHmac('sha256', key).update(`${kind} ${recipient}`).digest('hex');
