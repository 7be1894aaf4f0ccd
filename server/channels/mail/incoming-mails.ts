import { hash } from 'node:crypto';
import type { TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor } from '../../kit/ids.ts';
import type { Conversations } from '../../modules/conversations/conversations.ts';
import { isPseudonym } from '../../modules/personal-data/subject.ts';
import { mailChannel } from './channel.ts';
import type { IncomingMail } from './incoming-mail.ts';
import type { MailReader } from './mail-reader.ts';
import { incomingMails } from './metrics.ts';
import { type SignedToken, type SignedTokens, tokenFor } from './signed-tokens.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds that received emails are remembered, so that none is stored twice. */
const KNOWN_FOR_MS = 30 * 24 * HOUR_MS;
/**
 * Emails of one client per hour that rules may answer, which ends a loop between two programs that answer each other.
 */
const MAX_IN_HOUR = 20;

const PREFIX = 'r-';

/** Returns the address for replies to an email, which identifies the email. */
export const replyAddress = (token: string, domain: string): string => `${PREFIX}${token}@${domain}`;

interface IncomingMailsDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly signedTokens: SignedTokens;
  readonly reader: Pick<MailReader<IncomingMail>, 'read'>;
  readonly conversations: Pick<Conversations, 'received' | 'announce'>;
  /** The domain of inbound addresses; undefined: no inbound emails. */
  readonly inboundDomain: string | undefined;
}

/** The answered email. */
interface Answered {
  readonly accountId: number;
  readonly messageId: number;
  readonly shipmentId: number;
  /** Its sender and recipient. */
  readonly sender: string;
  readonly client: string;
}

/**
 * Replies to our emails. They arrive at an address that is signed for the email that contains it (`Reply-To`), so that
 * nobody can write as somebody else: the client is the recipient of that email, whatever the reply says about its
 * sender.
 */
export class IncomingMails {
  readonly #deps: IncomingMailsDeps;

  constructor(deps: IncomingMailsDeps) {
    this.#deps = deps;
  }

  /** Whether an address belongs to replies to one of our emails. */
  accepts(address: string): boolean {
    return this.#tokenIn(address) !== undefined;
  }

  /**
   * Stores a reply with its conversation, once: a repetition changes nothing. Returns false if the answered email is no
   * longer known. Rejects while the database is unavailable or too many emails wait to be parsed.
   *
   * @param from the sender of the envelope; empty for emails that must not be answered
   */
  async take(address: string, from: string, raw: Buffer): Promise<boolean> {
    const token = this.#tokenIn(address);
    const answered = token && (await this.#find(token));
    if (!answered) return false;
    const { sql, reader, conversations } = this.#deps;
    const mail = await reader.read(raw);
    const isNew = await sql.begin((tx) => this.#store(tx, answered, from, raw, mail));
    if (isNew) conversations.announce(answered.accountId);
    return true;
  }

  /** Deletes records of emails received a month ago. Runs every hour. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM mail_received WHERE at < ${clock.now() - KNOWN_FOR_MS}`;
  }

  #tokenIn(address: string): SignedToken | undefined {
    const { signedTokens, inboundDomain } = this.#deps;
    const at = address.lastIndexOf('@');
    if (inboundDomain === undefined || address.slice(at + 1).toLowerCase() !== inboundDomain.toLowerCase()) {
      return undefined;
    }
    const local = address.slice(0, at).toLowerCase();
    const token = local.startsWith(PREFIX) ? signedTokens.read(local.slice(PREFIX.length)) : undefined;
    return token?.what === tokenFor.reply ? token : undefined;
  }

  async #find({ accountId, messageId }: SignedToken): Promise<Answered | undefined> {
    const [row] = await this.#deps.sql<Answered[]>`
      SELECT account_id AS "accountId", id AS "messageId", shipment_id AS "shipmentId", source AS sender,
        recipient AS client
      FROM messages WHERE account_id = ${accountId} AND id = ${messageId} AND channel = ${mailChannel.id}`;
    // After an erasure, a reply to an old email does not store the person again; the email no longer has a
    // conversation.
    return row && !isPseudonym(row.client) ? row : undefined;
  }

  async #store(
    tx: TransactionSql,
    answered: Answered,
    from: string,
    raw: Buffer,
    mail: IncomingMail | undefined,
  ): Promise<boolean> {
    const { ids, clock, conversations } = this.#deps;
    const { accountId, messageId, shipmentId, sender, client } = answered;
    const id = ids.next();
    // An email without a Message-ID is identified by a hash of its content.
    const named = mail?.mailId ? mail.mailId : hash('sha256', raw, 'hex');
    const fresh = await tx`
      INSERT INTO mail_received (account_id, key, at) VALUES (${accountId}, ${`${messageId} ${named}`}, ${clock.now()})
      ON CONFLICT DO NOTHING RETURNING key`;
    if (fresh.length === 0) return false;
    const automatic = mail?.automatic ?? (from === '' ? 'no-sender' : await this.#flood(tx, answered));
    const { fromAddress = from, fromName = '', subject = '', body = '', mailId = '' } = mail ?? {};
    const kept = (text: string | null) => (text === null ? null : tx.keptText(accountId, text));
    const keptBody = kept(body);
    const isPlain = keptBody === body;
    const attachments = keptBody === null ? [] : (mail?.attachments ?? []);
    await tx`
      INSERT INTO mail_incoming (account_id, id, sender, client, from_address, from_name, subject, body, text, html, attachments,
        mail_id, message_id, shipment_id, automatic, raw, text_removed)
      VALUES (${accountId}, ${id}, ${sender}, ${client}, ${fromAddress}, ${fromName}, ${kept(subject) ?? ''}, ${keptBody ?? ''},
        ${kept(mail?.text ?? null)}, ${kept(mail?.html ?? null)}, ${tx.waitingJson(accountId, attachments)},
        ${mailId}, ${messageId}, ${shipmentId}, ${automatic},
        ${mail || !isPlain ? null : raw}, ${keptBody === null ? true : null})`;
    incomingMails.inc({ kind: mail ? (automatic ?? 'person') : 'unreadable' });
    await conversations.received(tx, accountId, {
      channel: mailChannel.id,
      sender,
      client,
      name: fromName,
      messageId: id,
      type: 'mail',
      text: body || subject,
      isWritten: automatic === null,
    });
    return true;
  }

  /** Two programs that answer each other write faster than people do. */
  async #flood(tx: TransactionSql, { accountId, client, sender }: Answered): Promise<string | null> {
    const [row] = await tx<{ count: number }[]>`
      SELECT count(*)::int AS count FROM (
        SELECT 1 FROM mail_incoming
        WHERE account_id = ${accountId} AND client = ${client} AND sender = ${sender}
          AND id >= ${idFloor(this.#deps.clock.now() - HOUR_MS)}
        LIMIT ${MAX_IN_HOUR}) AS recent`;
    return row!.count >= MAX_IN_HOUR ? 'too-many' : null;
  }
}
