import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { DeliveryHooks } from '../../engine/dispatch/hooks.ts';
import type { Context } from '../../kit/context.ts';
import { status } from '../../kit/statuses.ts';
import { isHardBounce } from './bounce-causes.ts';
import type { BounceReport } from './bounce-reports.ts';
import { mailChannel } from './channel.ts';
import { decodeMailText } from './mail-text.ts';
import { mailBounces } from './metrics.ts';
import type { MailUsers } from './users.ts';

/** An email with a bounce or complaint. */
export interface BouncedMail {
  readonly accountId: number;
  readonly messageId: number;
  readonly shipmentId: number;
  /** The address that it was sent to. */
  readonly phone: string;
  readonly userId: number | null;
}

type Bounce = Extract<BounceReport, { kind: 'bounce' }>;

interface BounceRecorderDeps extends Pick<Context, 'clock'> {
  readonly users: Pick<MailUsers, 'changeStatus' | 'softBounced'>;
  /** Number of soft bounces since the last delivery that count as a hard one. */
  readonly maxSoft: number;
}

/** Stores bounces and complaints, each once, and updates the users. */
export class BounceRecorder {
  readonly #deps: BounceRecorderDeps;

  constructor(deps: BounceRecorderDeps) {
    this.#deps = deps;
  }

  /**
   * Records a bounce. A hard one, or the last of `maxSoft` soft ones, makes the user `bounced`. A blocked email says
   * nothing about the address and does not count.
   */
  async bounced(
    tx: TransactionSql,
    mail: BouncedMail,
    { cause, code, diagnostic }: Omit<Bounce, 'kind'>,
  ): Promise<void> {
    const { users, maxSoft } = this.#deps;
    const { accountId, userId, shipmentId: campaignId } = mail;
    const isHard = cause === 'address';
    if (!(await this.#isNew(tx, mail, isHard ? 'hard' : 'soft', code)) || userId === null) return;
    if (cause === 'blocked') return;
    if (!isHard) {
      const count = (await users.softBounced(tx, accountId, [userId])).get(userId) ?? 0;
      if (count < maxSoft) return;
    }
    const reason = diagnostic === '' ? code : diagnostic;
    await users.changeStatus(tx, accountId, [userId], 'bounced', { cause: 'bounce', reason, campaignId });
  }

  /** Records that a user reported an email as spam. */
  async complained(tx: TransactionSql, mail: BouncedMail, type: string): Promise<void> {
    const { accountId, userId, shipmentId: campaignId } = mail;
    if (!(await this.#isNew(tx, mail, 'complaint', type)) || userId === null) return;
    const why = { cause: 'complaint', reason: type, campaignId } as const;
    await this.#deps.users.changeStatus(tx, accountId, [userId], 'complained', why);
  }

  /** Delivery hooks for emails: an address that the relay itself refuses has bounced. */
  get delivery(): DeliveryHooks {
    return {
      eventType: null,
      final: () => null,
      adjust: async (tx, accountId, { reversed }) => {
        for (const { id, status: final, code } of reversed) {
          const said = code?.split(' ').at(-1) ?? '';
          if (final !== status.undelivered || !isHardBounce(said)) continue;
          const mail = await findBounced(tx, accountId, id);
          const bounce = { cause: 'address', code: said, diagnostic: code! } as const;
          if (mail) await this.bounced(tx, mail, bounce);
        }
      },
    };
  }

  /** Stores a bounce or complaint. Returns false if it was stored before. */
  async #isNew(
    tx: TransactionSql,
    { accountId, messageId, shipmentId, userId }: BouncedMail,
    kind: 'hard' | 'soft' | 'complaint',
    code: string,
  ): Promise<boolean> {
    const { count } = await tx`
      INSERT INTO mail_returns (account_id, message_id, kind, shipment_id, user_id, code, at)
      VALUES (${accountId}, ${messageId}, ${kind}, ${shipmentId}, ${userId}, ${code}, ${this.#deps.clock.now()})
      ON CONFLICT ON CONSTRAINT mail_returns_pkey DO NOTHING`;
    if (count > 0) mailBounces.inc({ kind });
    return count > 0;
  }
}

/** Returns an email by its id; undefined if the account has no such email. */
export async function findBounced(
  sql: Queryable,
  accountId: number,
  messageId: number,
): Promise<BouncedMail | undefined> {
  const [row] = await sql<{ shipment_id: number; recipient: string; payload: string }[]>`
    SELECT shipment_id, recipient, payload FROM messages
    WHERE account_id = ${accountId} AND id = ${messageId} AND channel = ${mailChannel.id}`;
  if (!row) return undefined;
  const { userId } = decodeMailText(row.payload);
  return { accountId, messageId, shipmentId: row.shipment_id, phone: row.recipient, userId };
}
