import { type SendKey, settled } from '../../api/send-keys/send-keys.ts';
import type { Query, Row } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Acceptor } from '../../engine/messages/accept.ts';
import { lanes } from '../../engine/messages/lanes.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import { SecretText } from '../../engine/messages/secret-text.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { idFloor } from '../../kit/ids.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import type { Prices } from '../accounts/prices.ts';
import { recordBlock } from '../fraud-guard/blocks.ts';
import { MINUTE, type Rule, ruleMessages } from '../fraud-guard/rules.ts';
import {
  type CodeOwner,
  type CodeRequest,
  createDigest,
  type Digest,
  MAX_MINUTES,
  newCode,
  PLACEHOLDER,
} from './codes.ts';
import { checked, sent } from './metrics.ts';
import { type Policy, type Reservation, release, reserve, Stopped, wouldStop } from './reservations.ts';

/** Code in previews of a text. */
const EXAMPLE = '123456';

interface OneTimeCodesDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log' | 'secrets'> {
  readonly events: Events;
  readonly prices: Prices;
  readonly acceptor: Acceptor;
  readonly policy: Policy;
  /** Default text of a code, with `[code]` in it. */
  readonly defaultText: string;
}

/** One-time codes: sent by SMS in their own priority lane, and verified once (decisions, "Single operations"). */
export class OneTimeCodes {
  readonly #deps: OneTimeCodesDeps;
  readonly #digest: Digest;

  constructor(deps: OneTimeCodesDeps) {
    this.#deps = deps;
    this.#digest = createDigest(deps.sql, deps.secrets);
  }

  /**
   * Sends a code, which replaces the previous one. Throws Refusal `not-now` (limits and the fraud guard) and errors of
   * Acceptor.accept; then nothing is counted or charged, and the previous code stays valid.
   * The code becomes valid before its message is accepted, so that it works as soon as anybody receives it. If the
   * process ends in between, a send is counted although no message was sent, and the previous code is invalid.
   * `sendKey` is stored with the message. Returns the id of the code.
   */
  async send(request: CodeRequest, sendKey?: SendKey<number>): Promise<number> {
    const { clock, policy, acceptor } = this.#deps;
    const code = newCode();
    const { shipment, cost } = await this.#prepare(request, code);
    const digest = await this.#digest(request, code);
    const now = clock.now();
    const { accountId, appId, phone, tries } = request;
    const expiresAt = now + request.minutes * MINUTE;
    const row = { accountId, appId, phone, digest, tries, expiresAt, cost };
    let reservation: Reservation;
    try {
      reservation = await reserve(this.#deps, row, policy, now);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      await recordBlock(this.#deps, { accountId, kind: 'code', phone, rule: error.rule }, now);
      throw refusal(error.rule);
    }
    try {
      const rule = { claims: 'code', id: reservation.id } as const;
      const key = sendKey && settled(sendKey, reservation.id);
      await acceptor.accept({ ...shipment, rule, ...(key && { sendKey: key }) });
    } catch (error) {
      await this.#release(reservation);
      throw error;
    }
    sent.inc();
    return reservation.id;
  }

  /** Returns the phone that a code of an application was sent to, as E.164 digits; undefined for an unknown code. */
  async phoneOf({ accountId, appId }: Omit<CodeOwner, 'phone'>, id: number): Promise<string | undefined> {
    const [row] = await this.#deps.sql<{ phone: string }[]>`
      SELECT phone FROM otp_sends WHERE account_id = ${accountId} AND id = ${id} AND app_id = ${appId}`;
    return row?.phone;
  }

  /**
   * Returns the phone of a code that can still be verified, as E.164 digits; undefined for one that was used, cancelled,
   * guessed too often or replaced, has expired or never existed.
   */
  async pendingPhone(owner: Omit<CodeOwner, 'phone'>, id: number): Promise<string | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<{ phone: string }[]>`
      SELECT s.phone FROM otp_sends s WHERE ${this.#isPending(owner, id)}`;
    return row?.phone;
  }

  /**
   * Ends a code without a check, so that it verifies nothing. `approved` means that the account has verified the phone
   * in another way. Returns the phone, or undefined as `pendingPhone` does; of parallel calls and checks one succeeds.
   */
  async end(
    owner: Omit<CodeOwner, 'phone'>,
    id: number,
    as: 'approved' | 'canceled',
  ): Promise<string | undefined> {
    const { sql, clock } = this.#deps;
    const verifiedAt = as === 'approved' ? clock.now() : null;
    const [row] = await sql<{ phone: string }[]>`
      UPDATE otp_sends s SET tries_left = 0, verified_at = ${verifiedAt}::bigint WHERE ${this.#isPending(owner, id)}
      RETURNING s.phone`;
    return row?.phone;
  }

  /** Selects a code of `otp_sends s` that can be verified: the last one of its phone. */
  #isPending({ accountId, appId }: Omit<CodeOwner, 'phone'>, id: number): Query<Row[]> {
    const { sql, clock } = this.#deps;
    const now = clock.now();
    return sql`
      s.account_id = ${accountId} AND s.id = ${id} AND s.app_id = ${appId} AND s.tries_left > 0
        AND s.expires_at > ${now} AND NOT EXISTS (
          SELECT FROM otp_sends later
          WHERE later.account_id = ${accountId} AND later.phone = s.phone AND later.app_id = ${appId}
            AND later.id > ${id})`;
  }

  /** Runs the checks of `send`; stores, sends and charges nothing. Throws the same Refusals. */
  async check(request: CodeRequest): Promise<void> {
    const { sql, clock, policy, acceptor } = this.#deps;
    const { shipment, cost } = await this.#prepare(request, newCode());
    const rule = await wouldStop(sql, { ...request, cost }, policy, clock.now());
    if (rule) throw refusal(rule);
    await acceptor.check(shipment);
  }

  /**
   * Previews a code: its text with `123456` as the code, its parts, and its cost in ten-thousandths of a credit. Runs
   * the checks of `send` except that of the credit, and throws the same Refusals. Stores nothing.
   */
  async estimate(request: CodeRequest): Promise<{ text: string; parts: number; cost: number }> {
    const { sql, clock, policy, acceptor } = this.#deps;
    const { shipment, cost, text } = await this.#prepare(request, EXAMPLE);
    const rule = await wouldStop(sql, { ...request, cost }, policy, clock.now());
    if (rule) throw refusal(rule);
    try {
      await acceptor.check(shipment);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'no-credit')) throw error;
    }
    return { text, parts: countParts(text), cost };
  }

  /**
   * Verifies a code and uses it up. Returns false for a code that is wrong, used, expired, replaced, was guessed too
   * often or never existed; callers must not learn which.
   * One statement checks, counts and uses up: among parallel requests with the right code only one succeeds, and wrong
   * codes cannot exceed the number of attempts. It compares digests under a key that attackers do not have, so the time
   * of the comparison reveals nothing about the codes.
   */
  async verify(owner: CodeOwner, code: string): Promise<boolean> {
    const { sql, clock } = this.#deps;
    const { accountId, appId, phone } = owner;
    const digest = await this.#digest(owner, code);
    const now = clock.now();
    const [row] = await sql<{ right: boolean }[]>`
      UPDATE otp_sends SET
        tries_left = CASE WHEN digest = ${digest} THEN 0 ELSE tries_left - 1 END,
        verified_at = CASE WHEN digest = ${digest} THEN ${now}::bigint END
      WHERE account_id = ${accountId} AND tries_left > 0 AND expires_at > ${now} AND id = (
        SELECT max(id) FROM otp_sends
        WHERE account_id = ${accountId} AND phone = ${phone} AND app_id = ${appId}
          AND id >= ${idFloor(now - MAX_MINUTES * MINUTE)}
      )
      RETURNING verified_at IS NOT NULL AS "right"`;
    const right = row?.right ?? false;
    checked.inc({ result: right ? 'verified' : 'refused' });
    return right;
  }

  /** Returns the message of a code, with its text and price. */
  async #prepare(
    { accountId, phone, source, text }: CodeRequest,
    code: string,
  ): Promise<{ shipment: ShipmentRequest; cost: number; text: string }> {
    const { prices, defaultText } = this.#deps;
    const filled = SecretText.of(code, (value) => (text ?? defaultText).replaceAll(PLACEHOLDER, value));
    const priceOf = await prices.of(accountId, 'sms');
    const revealed = filled.reveal();
    return {
      text: revealed,
      cost: priceOf(phone) * countParts(revealed),
      shipment: {
        accountId,
        lane: lanes.otp,
        campaignName: null,
        source,
        text: null,
        items: [{ phone, externalId: null, source: null, text: filled }],
        dueAt: null,
        recentDays: null,
        // The caller has already refused foreign numbers that the account does not permit.
        international: true,
      },
    };
  }

  /** The caller gets the original refusal, whether or not this succeeds. */
  async #release(reservation: Reservation): Promise<void> {
    const { sql, log } = this.#deps;
    try {
      await release(sql, reservation);
    } catch (error) {
      log.warn({ err: error, account: reservation.accountId }, 'unsent one-time code remains counted');
    }
  }
}

function refusal(rule: Rule): Refusal {
  return new Refusal('not-now', ruleMessages[rule], undefined, { reason: rule });
}
