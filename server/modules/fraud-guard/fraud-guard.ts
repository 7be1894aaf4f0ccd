import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { recordBlock } from './blocks.ts';
import { type GuardedKind, measureRange } from './measure.ts';
import { type FraudGuardSettings, prefixOf, type Rule, stopsRange } from './rules.ts';

interface FraudGuardDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly events: Events;
  /** Undefined: the guard is off. */
  readonly settings: FraudGuardSettings | undefined;
}

/** A send that the guard counts. */
interface GuardedSend {
  readonly accountId: number;
  readonly kind: GuardedKind;
  /** E.164 digits. */
  readonly phone: string;
}

/** A rule of the guard stops a send; the transaction in which it was counted must not commit. */
class StoppedSend extends Error {
  readonly send: GuardedSend;
  readonly rule: Rule;

  constructor(send: GuardedSend, rule: Rule) {
    super(rule);
    this.send = send;
    this.rule = rule;
  }
}

/**
 * The fraud guard for sends that outsiders can cause and the account pays: automatic replies, questions to owners of numbers. It
 * stops sends to ranges of neighbouring numbers of which nobody answers. `OneTimeCodes` applies the same rules to one-time codes.
 */
export class FraudGuard {
  readonly #deps: FraudGuardDeps;

  constructor(deps: FraudGuardDeps) {
    this.#deps = deps;
  }

  /**
   * Runs work that counts sends by `count`, and records a send that a rule stops. Throws Refusal `not-now` with the rule as its
   * reason, and what the work throws.
   */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoppedSend)) throw error;
      const { accountId, kind, phone } = error.send;
      await recordBlock(this.#deps, { accountId, kind, phone, rule: error.rule }, this.#deps.clock.now());
      throw new Refusal('not-now', refusalTexts[error.rule] ?? error.rule, undefined, { reason: error.rule });
    }
  }

  /** Counts a send in the transaction of the caller, which runs in `watch`. Sends of one account are counted in turns. */
  async count(tx: TransactionSql, send: GuardedSend): Promise<void> {
    const { ids, clock, settings } = this.#deps;
    if (!settings) return;
    const { accountId, kind, phone } = send;
    await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`fraud guard ${accountId}`}, 0))`;
    const rule = stopsRange(await measureRange(tx, send, settings, clock.now()), judgedAs(kind, settings));
    if (rule) throw new StoppedSend(send, rule);
    await tx`
      INSERT INTO guarded_sends (account_id, id, kind, phone, prefix)
      VALUES (${accountId}, ${ids.next()}, ${kind}, ${phone}, ${prefixOf(phone)})`;
  }
}

/** Records that the owner of a number answered, so that the guard trusts the number. `at` is in milliseconds since the epoch. */
export async function noteAnswered(
  sql: Queryable,
  { accountId, kind, phone }: GuardedSend,
  at: number,
): Promise<void> {
  await sql`
    UPDATE guarded_sends SET verified_at = ${at}
    WHERE account_id = ${accountId} AND kind = ${kind} AND phone = ${phone} AND verified_at IS NULL`;
}

/** Nobody answers an automatic reply in a way that shows it, so the share of answers says nothing about a prefix. */
const judgedAs = (kind: GuardedKind, settings: FraudGuardSettings): FraudGuardSettings =>
  kind === 'automatic-reply' ? { ...settings, leastPercent: 0 } : settings;

const refusalTexts: Readonly<Partial<Record<Rule, string>>> = {
  neighbours: 'phone: too many numbers next to this one were asked and did not answer',
  conversion: 'phone: numbers of this range do not answer, try again in a minute',
};
