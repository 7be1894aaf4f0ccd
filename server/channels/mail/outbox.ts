import type { TransactionSql } from '../../database/connection.ts';
import type { Pass } from '../../engine/gate/gate.ts';
import type { MailBudget } from '../../modules/budgets/mail-budget.ts';

/** An email to one address, outside of campaigns: a confirmation, a test. */
export interface SingleMail {
  readonly to: string;
  /** Id of the recipient as a user of the account's lists; null for others. */
  readonly userId: number | null;
  /** With `{{name}}` in place of fields, as in campaigns. */
  readonly subject: string;
  readonly text: string;
  /** HTML; null: only text. */
  readonly html: string | null;
  /** Fields by lower-case name. */
  readonly fields: Readonly<Record<string, string>>;
  /** A field whose value only the recipient may see. */
  readonly secret?: SecretField;
}

/** A field of an email that is stored only as a secret text. */
export interface SecretField {
  /** Its name in lower case. */
  readonly name: string;
  readonly value: string;
}

/** Accepts single emails, which the same engine sends as campaigns, in the `single` lane. */
export interface Outbox {
  /**
   * Stores emails to send, in the caller's transaction. They are charged like all emails, and sent from the account's
   * own sender or that of the setting MAIL_FROM. Get `pass` from the gate before the transaction, and take the emails
   * from `budget` in it. After the commit the caller calls `notifyDispatcher(accountId)`. Throws Refusal `no-credit`.
   */
  add(tx: TransactionSql, pass: Pass, mails: readonly SingleMail[], budget: MailBudget): Promise<void>;
  /** A hint that work is due. */
  notifyDispatcher(accountId: number): void;
}
