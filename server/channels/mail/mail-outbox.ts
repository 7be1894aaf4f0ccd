import type { TransactionSql } from '../../database/connection.ts';
import type { Pass } from '../../engine/gate/gate.ts';
import { BatchCutter } from '../../engine/messages/batch-cutter.ts';
import { insertShipments, single } from '../../engine/messages/insert-shipments.ts';
import { type Lane, lanes } from '../../engine/messages/lanes.ts';
import type { PlannedMessage } from '../../engine/messages/plan.ts';
import { SecretText, type SecretTexts } from '../../engine/messages/secret-text.ts';
import { insertMessages, storeBatches } from '../../engine/messages/store-messages.ts';
import { accepting } from '../../engine/messages/traces.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { MAX_TRACED_MESSAGES } from '../../kit/observability/tracing/tracing.ts';
import { noteShipment } from '../../kit/request-context.ts';
import { harmlessName } from '../../kit/text/harmless-name.ts';
import { languageOf } from '../../kit/text/language.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import { isOverdraft, moveWallet } from '../../modules/accounts/wallets.ts';
import { checkMailBudget, type MailBudget } from '../../modules/budgets/mail-budget.ts';
import { mailChannel } from './channel.ts';
import { compileContent, type MailContent } from './content.ts';
import type { Contents } from './contents.ts';
import { encodeMailText } from './mail-text.ts';
import type { Outbox, SecretField, SingleMail } from './outbox.ts';
import { MAIL_PRICES, planMail } from './planned-mails.ts';

interface MailOutboxDeps extends Pick<Context, 'ids' | 'clock' | 'channels' | 'tracing'> {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly prices: Prices;
  readonly secretTexts: SecretTexts;
  /** Milliseconds for which delivery of an email is attempted. */
  readonly validityMs: number;
  readonly contents: Pick<Contents, 'store'>;
  readonly route: string;
  /** Sender of the service's own emails. */
  readonly from: string;
  /** Called for an account with due work. Only a hint. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

/** The recipient of a single email, and their values for the fields of the content. */
interface SingleRecipient {
  readonly to: string;
  readonly userId: number | null;
  readonly fields: (names: ReadonlySet<string>) => Record<string, string>;
  readonly secret?: SecretField | undefined;
}

/** Stores single emails in the `single` lane, in the same tables as those of campaigns. */
export class MailOutbox implements Outbox {
  readonly #deps: MailOutboxDeps;

  constructor(deps: MailOutboxDeps) {
    this.#deps = deps;
  }

  async add(tx: TransactionSql, pass: Pass, mails: readonly SingleMail[], budget: MailBudget): Promise<void> {
    checkMailBudget(pass, budget);
    const { accountId } = pass;
    const { accounts, from } = this.#deps;
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
      await this.store(tx, pass, content, [{ to, userId, fields: () => ({ ...fields }), secret }]);
    }
  }

  notifyDispatcher(accountId: number): void {
    this.#deps.notifyDispatcher(accountId, lanes.single);
  }

  /**
   * Stores emails with one content, and charges them, in the caller's transaction. Afterwards the caller calls
   * `notifyDispatcher`. Returns the id of their shipment. Throws Refusal `no-credit`.
   */
  store(
    tx: TransactionSql,
    pass: Pass,
    content: MailContent,
    recipients: readonly SingleRecipient[],
  ): Promise<number> {
    return accepting(this.#deps.tracing, mailChannel.name, recipients.length, (trace) =>
      this.#store(tx, pass, content, recipients, trace),
    );
  }

  async #store(
    tx: TransactionSql,
    pass: Pass,
    content: MailContent,
    recipients: readonly SingleRecipient[],
    trace: string | undefined,
  ): Promise<number> {
    const { ids, clock, prices, secretTexts, contents, validityMs, route } = this.#deps;
    const { accountId } = pass;
    const now = clock.now();
    const id = ids.next();
    tx.afterCommit(() => noteShipment(id));
    const price = (await prices.of(accountId, MAIL_PRICES))('');
    const { fields: names } = compileContent(content);
    const cutter = new BatchCutter(this.#deps.channels);
    const messages = recipients.map(({ to, userId, fields, secret }, index): PlannedMessage => {
      const own = { userId, listId: null, track: false, fields: fields(names) };
      const isTraced = trace !== undefined && index < MAX_TRACED_MESSAGES;
      const planned = { ...planMail(ids, id, to, own, price), ...(isTraced && { trace }) };
      const due = { at: now, wait: null };
      const batchId = cutter.take({ channel: mailChannel.id, route }, lanes.single, due, null, planned.id).id;
      if (!secret) return { ...planned, batchId };
      const text = SecretText.of(secret.value, (value) =>
        encodeMailText({ ...own, campaignId: id, fields: { ...own.fields, [secret.name]: value } }),
      );
      return {
        ...planned,
        batchId,
        text: text.shown,
        secretText: secretTexts.seal(accountId, planned.id, text),
      };
    });
    const cost = messages.length * price;
    await Promise.all([
      insertShipments(tx, accountId, [
        {
          ...single({ id, channel: mailChannel.id, dueAt: now, validityMs, pass }),
          messages: { count: messages.length, firstId: id, lastId: messages.at(-1)!.id, cost },
        },
      ]),
      contents.store(tx, accountId, id, content),
      insertMessages(
        tx,
        [pass],
        accountId,
        messages,
        messages.map(() => content.from.address),
        messages.map(({ text }) => tx.waitingText(accountId, text)),
        now,
        mailChannel.id,
      ),
      storeBatches(tx, [pass], accountId, cutter.batches),
    ]);
    if (cost > 0) await this.#pay(tx, accountId, id, cost, now);
    return id;
  }

  async #pay(tx: TransactionSql, accountId: number, shipmentId: number, cost: number, now: number) {
    try {
      await tx.savepoint((inner) =>
        moveWallet(inner, this.#deps.ids, now, accountId, [{ kind: 'charge', amount: -cost, shipmentId }]),
      );
    } catch (error) {
      if (isOverdraft(error)) throw new Refusal('no-credit', 'not enough credit');
      throw error;
    }
  }
}
