import type { Channels } from '../../channels/contract/channels.ts';
import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import type { FrequencyCap } from './policy.ts';

const HOUR_MS = 3_600_000;
/** The longest period of a cap, in hours. */
export const MAX_CAP_HOURS = 31 * 24;

/** A message before its submission. */
interface CountedMessage {
  readonly id: number;
  readonly recipient: string;
  /** The id of its channel. */
  readonly channel: number;
}

/** A message that was admitted before. */
interface SentRow {
  readonly recipient: string;
  readonly message_id: number;
  readonly channel: number;
  readonly at: number;
}

/** Counts messages per recipient for the frequency caps of accounts. */
export class CapCounter {
  readonly #deps: Pick<Context, 'sql' | 'clock'> & { readonly channels: Channels };

  constructor(deps: Pick<Context, 'sql' | 'clock'> & { readonly channels: Channels }) {
    this.#deps = deps;
  }

  /**
   * Admits messages of an account within its caps. Returns the ids of those over a cap, with the time from which they
   * would be admitted, in milliseconds since the epoch. Admitted messages are counted in the same transaction, each
   * once even if this is repeated; a message that failed before any carrier had it no longer counts. Calls for one
   * account run one after another, so that two processes together never exceed a cap.
   */
  async admit(
    accountId: number,
    caps: readonly FrequencyCap[],
    messages: readonly CountedMessage[],
  ): Promise<Map<number, number>> {
    const { sql, clock } = this.#deps;
    const now = clock.now();
    const counts = this.#countsOf(caps);
    const recipients = [...new Set(messages.map(({ recipient }) => recipient))];
    return sql.begin(async (tx) => {
      await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`frequency caps ${accountId}`}, 0))`;
      const rows = await readSends(tx, accountId, recipients, since(counts, now));
      const { admitted, over } = decide(counts, messages, rows, now);
      if (admitted.length > 0) {
        await tx`
          INSERT INTO recipient_sends (account_id, recipient, message_id, channel, at)
          SELECT w.account_id, u.recipient, u.message_id, u.channel, ${now}::bigint
          FROM wallets w, unnest(
            ${texts(admitted.map(({ recipient }) => recipient))}::text[],
            ${numbers(admitted.map(({ id }) => id))}::bigint[],
            ${numbers(admitted.map(({ channel }) => channel))}::smallint[]
          ) AS u (recipient, message_id, channel)
          WHERE w.account_id = ${accountId}
          ON CONFLICT ON CONSTRAINT recipient_sends_pkey DO NOTHING`;
      }
      return over;
    });
  }

  /**
   * Returns the time from which one more message to a recipient is within the caps, in milliseconds since the epoch.
   * `channel` is an id.
   */
  async freeFrom(
    accountId: number,
    caps: readonly FrequencyCap[],
    { recipient, channel }: Omit<CountedMessage, 'id'>,
    now: number,
  ): Promise<number> {
    const counts = this.#countsOf(caps);
    const rows = await readSends(this.#deps.sql, accountId, [recipient], since(counts, now));
    return freeFrom(counts, channel, rows, now);
  }

  #countsOf(caps: readonly FrequencyCap[]): Count[] {
    return caps.map(({ channel, hours, messages: most }) => ({
      channel: channel === null ? null : this.#deps.channels.named(channel).id,
      forMs: hours * HOUR_MS,
      most,
    }));
  }

  /** Deletes sends older than the longest cap. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM recipient_sends WHERE at < ${clock.now() - MAX_CAP_HOURS * HOUR_MS}`;
  }
}

/** A cap with the id of its channel; null: all channels. */
interface Count {
  readonly channel: number | null;
  readonly forMs: number;
  readonly most: number;
}

/**
 * Decides which messages are admitted, one after another, because two may have the same recipient. `rows`: newest
 * first.
 */
function decide(
  counts: readonly Count[],
  messages: readonly CountedMessage[],
  rows: readonly SentRow[],
  now: number,
): { admitted: CountedMessage[]; over: Map<number, number> } {
  const sent = Map.groupBy(rows, ({ recipient }) => recipient);
  const admitted: CountedMessage[] = [];
  const over = new Map<number, number>();
  for (const message of messages) {
    const { id, recipient, channel } = message;
    const earlier = sent.get(recipient) ?? [];
    if (earlier.some(({ message_id }) => message_id === id)) continue;
    if (!counts.some((count) => isOf(count, channel))) continue;
    const from = freeFrom(counts, channel, earlier, now);
    if (from > now) {
      over.set(id, from);
      continue;
    }
    admitted.push(message);
    sent.set(recipient, [{ recipient, message_id: id, channel, at: now }, ...earlier]);
  }
  return { admitted, over };
}

/** Whether a cap counts messages of a channel. */
const isOf = ({ channel: capped }: Count, channel: number): boolean => capped === null || capped === channel;

/** Returns the time before which sends no longer count for any cap. */
const since = (counts: readonly Count[], now: number): number =>
  now - Math.max(...counts.map(({ forMs }) => forMs));

/** Returns the time from which one more message on a channel is within its caps. `earlier`: newest first. */
function freeFrom(
  counts: readonly Count[],
  channel: number,
  earlier: readonly SentRow[],
  now: number,
): number {
  let from = now;
  for (const count of counts) {
    if (!isOf(count, channel)) continue;
    const last = earlier.filter((row) => isOf(count, row.channel))[count.most - 1];
    if (last) from = Math.max(from, last.at + count.forMs);
  }
  return from;
}

/**
 * Selects messages to recipients that were admitted after a time, newest first, without those that failed before any
 * carrier got them.
 */
function readSends(
  sql: Queryable,
  accountId: number,
  recipients: readonly string[],
  after: number,
): Promise<SentRow[]> {
  return sql<SentRow[]>`
    SELECT r.* FROM unnest(${texts(recipients)}::text[]) AS u (recipient), LATERAL (
      SELECT recipient, message_id, channel, at FROM recipient_sends
      WHERE account_id = ${accountId} AND recipient = u.recipient OFFSET 0
    ) r
    LEFT JOIN messages m ON m.account_id = ${accountId} AND m.id = r.message_id
    WHERE r.at > ${after} AND (m.id IS NULL OR m.final_at IS NULL OR m.handed_at IS NOT NULL)
    ORDER BY r.at DESC, r.message_id DESC`;
}
