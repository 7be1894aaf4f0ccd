import type { MailBudget } from '../../budgets/mail-budget.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Pass } from '../../gate/gate.ts';

/** One mail to one address, outside of campaigns: a confirmation, a test. */
export interface SingleMail {
  readonly to: string;
  /** The user of the account's lists that it goes to; null for somebody else. */
  readonly userId: number | null;
  /** With `{{name}}` where a field goes, as in campaigns. */
  readonly subject: string;
  readonly text: string;
  /** HTML; null: text alone. */
  readonly html: string | null;
  /** Fields by their names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
  /** A field whose value is for the recipient alone. */
  readonly secret?: SecretField;
}

/** A field of a mail that is stored as a secret text and nowhere else. */
export interface SecretField {
  /** Its name in lower case. */
  readonly name: string;
  readonly value: string;
}

/** Takes single mails, which go out by the same engine as campaigns, in the lane of single messages. */
export interface Outbox {
  /**
   * Stores mails to be sent, in the caller's transaction: charged like all mails, from the account's own sender or the
   * one of the setting MAIL_FROM. Get `pass` from the gate before the transaction, and take the mails from `budget` in it. After the commit the caller calls
   * `notifyDispatcher(accountId)`. Throws Refusal `no-credit`.
   */
  add(tx: TransactionSql, pass: Pass, mails: readonly SingleMail[], budget: MailBudget): Promise<void>;
  /** There is work: a hint. */
  notifyDispatcher(accountId: number): void;
}
