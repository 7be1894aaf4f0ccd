import type { Accounts } from '../../accounts/accounts.ts';
import { toNumeric } from '../../accounts/money.ts';
import type { Prices } from '../../accounts/prices.ts';
import { isOverdraft, moveWallet } from '../../accounts/wallets.ts';
import type { Clock } from '../../clock.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import type { IdSource } from '../../ids.ts';
import { type Lane, lanes } from '../../messages/lanes.ts';
import type { PlannedMessage } from '../../messages/plan.ts';
import { SecretText, type SecretTexts } from '../../messages/secret-text.ts';
import { insertBatches, insertMessages } from '../../messages/store-messages.ts';
import { harmlessName } from '../../text/harmless-name.ts';
import { languageOf } from '../../text/language.ts';
import { MAIL_PRICES, planMails } from './campaign-rows.ts';
import { mailChannel } from './channel.ts';
import { compileContent, type MailContent } from './content.ts';
import { encodeMailText } from './mail-text.ts';
import type { Outbox, SecretField, SingleMail } from './outbox.ts';

export interface MailOutboxParts {
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly prices: Prices;
  readonly secretTexts: SecretTexts;
  /** How long delivery of a mail is tried, in milliseconds. */
  readonly validityMs: number;
  readonly route: string;
  /** Where mails of ours come from that no account has written. */
  readonly from: string;
  /** Called for an account that has work that is due. A hint. */
  readonly wake: (accountId: number, lane: Lane) => void;
}

/** To whom a single mail goes, and with which fields of those that the content has. */
export interface SingleRecipient {
  readonly to: string;
  readonly userId: number | null;
  readonly fields: (names: ReadonlySet<string>) => Record<string, string>;
  readonly secret?: SecretField | undefined;
}

/** Stores single mails: in the lane of single messages, each with its place in the same tables as those of campaigns. */
export class MailOutbox implements Outbox {
  readonly #parts: MailOutboxParts;

  constructor(parts: MailOutboxParts) {
    this.#parts = parts;
  }

  async add(tx: TransactionSql, accountId: number, mails: readonly SingleMail[]): Promise<void> {
    const { accounts, from } = this.#parts;
    const name = harmlessName((await accounts.byId(accountId))?.name ?? '');
    for (const { to, userId, subject, text, html, fields, secret } of mails) {
      const content: MailContent = {
        from: { name, address: from },
        replyTo: null,
        subject,
        html,
        text,
        links: [],
        language: languageOf(text),
        removable: false,
        literal: false,
      };
      await this.store(tx, accountId, content, [{ to, userId, fields: () => ({ ...fields }), secret }]);
    }
  }

  wake(accountId: number): void {
    this.#parts.wake(accountId, lanes.single);
  }

  /**
   * Stores mails of one content, and pays for them, in the caller's transaction; then `wake` is to be called. Returns the
   * id of their shipment. Throws Refusal `no-credit`.
   */
  async store(
    tx: TransactionSql,
    accountId: number,
    content: MailContent,
    recipients: readonly SingleRecipient[],
  ): Promise<number> {
    const { ids, clock, prices, validityMs, route } = this.#parts;
    const now = clock.now();
    const id = ids.next();
    const price = (await prices.of(accountId, MAIL_PRICES))('');
    const { fields: names } = compileContent(content);
    const mails = recipients.map(({ to, userId, fields }) => ({
      to,
      own: { userId, listId: null, track: false, fields: fields(names) },
    }));
    const common = { campaignId: id, lane: lanes.single, route, canPause: false, price, now };
    const { messages: planned, batches } = planMails(ids, common, mails);
    const messages = planned.map((message, index): PlannedMessage => {
      const { secret } = recipients[index]!;
      if (!secret) return message;
      const { own } = mails[index]!;
      const text = SecretText.of(secret.value, (value) =>
        encodeMailText({ ...own, campaignId: id, fields: { ...own.fields, [secret.name]: value } }),
      );
      const secretText = this.#parts.secretTexts.seal(accountId, message.id, text);
      return { ...message, text: text.shown, secretText };
    });
    const cost = messages.length * price;
    await Promise.all([
      tx`
        INSERT INTO shipments (account_id, id, lane, state, campaign_name, payload, message_count, cost, first_id,
          last_id, due_at, valid_until, channel)
        VALUES (${accountId}, ${id}, ${lanes.single}, 1, NULL, NULL, ${messages.length}, ${toNumeric(cost)}, ${id},
          ${messages.at(-1)!.id}, ${now}, ${now + validityMs}, ${mailChannel.id})`,
      tx`
        INSERT INTO mail_campaigns (account_id, id, kind, name, state, route, from_address, content, list_ids, total,
          expanded, held, due_at, created_at, finished_at)
        VALUES (${accountId}, ${id}, 'single', NULL, 'finished', ${route}, ${content.from.address},
          ${tx.json(content as never)}, '{}', ${messages.length}, true, 0, ${now}, ${now}, ${now})`,
      insertMessages(
        tx,
        accountId,
        messages,
        messages.map(() => content.from.address),
        messages.map(({ text }) => text),
        now,
        mailChannel.id,
      ),
      insertBatches(tx, accountId, batches),
    ]);
    if (cost > 0) await this.#pay(tx, accountId, id, cost, now);
    return id;
  }

  async #pay(tx: TransactionSql, accountId: number, shipmentId: number, cost: number, now: number) {
    try {
      await tx.savepoint((inner) =>
        moveWallet(inner, this.#parts.ids, now, accountId, [{ kind: 'charge', amount: -cost, shipmentId }]),
      );
    } catch (error) {
      if (isOverdraft(error)) throw new Refusal('no-credit', 'not enough credit');
      throw error;
    }
  }
}
