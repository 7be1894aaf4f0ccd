import type { Accounts } from '../../accounts/accounts.ts';
import { type Consents, MARKETING } from '../../consents/consents.ts';
import type { Context } from '../../context.ts';
import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { DueRows } from '../../due-look.ts';
import { Refusal } from '../../errors.ts';
import type { Gate } from '../../gate/gate.ts';
import { harmlessName } from '../../text/harmless-name.ts';
import { type Language, languageOf } from '../../text/language.ts';
import { mailAddressKey } from '../../text/mail-address-key.ts';
import type { MailCodes } from './codes.ts';
import { confirmationMail, LINK_FIELD } from './confirmation-words.ts';
import { lockMailLists } from './list-rows.ts';
import type { Outbox, SingleMail } from './outbox.ts';
import type { MailUsers } from './users.ts';

/** Where the page of confirmation is, below the address of the service. */
export const CONFIRMATION_PATH = '/mail/confirm/';

/** How long the link in a mail is good. */
export const CONFIRMATION_MS = 30 * 86_400_000;

/** Mails that are submitted in one transaction. */
const AT_ONCE = 200;

/** The pause after which an account that had no credit for its confirmations is looked at again. */
const NO_CREDIT_PAUSE_MS = 600_000;

/** What a link of confirmation is about. */
interface MailConfirmation {
  readonly accountId: number;
  readonly listId: number;
  readonly listName: string;
  readonly userId: number;
  readonly generation: number;
  readonly confirmed: boolean;
}

interface Due {
  readonly filling_id: number;
  readonly user_id: number;
}

interface Waiting extends Due {
  readonly address: string;
  readonly list_name: string;
}

interface ConfirmationDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly accounts: Accounts;
  readonly users: MailUsers;
  readonly consents: Pick<Consents, 'recordWithin'>;
  readonly gate: Pick<Gate, 'open'>;
  readonly codes: MailCodes;
  /** What links begin with, without a slash at the end. */
  readonly base: () => string;
  /** Undefined where this process sends no mails: then they wait. */
  readonly outbox: Outbox | undefined;
}

/**
 * Double opt-in: who is added to a list with that setting is in it as waiting, gets one mail with a link, and counts as
 * active after they have pressed the button behind it.
 */
export class MailConfirmations {
  readonly #deps: ConfirmationDeps;
  #stopping = false;

  constructor(deps: ConfirmationDeps) {
    this.#deps = deps;
  }

  /** The link by which a user confirms that they want to be in this generation of a list. */
  linkFor(accountId: number, generation: number, userId: number): string {
    const code = this.#deps.codes.encode('confirm', [accountId, generation, userId]);
    return this.#deps.base() + CONFIRMATION_PATH + code;
  }

  /** What a code is about; undefined for one that is not ours, too old, or of a list that was emptied since. */
  async find(code: string): Promise<MailConfirmation | undefined> {
    const fields = this.#deps.codes.decode('confirm', code)?.map(Number);
    if (!fields) return undefined;
    const [accountId, generation, userId] = fields as [number, number, number];
    const [row] = await this.#deps.sql<{ id: number; name: string; pending: boolean; asked: boolean }[]>`
      SELECT l.id, l.name, m.pending, c.user_id IS NOT NULL AS asked
      FROM mail_members m JOIN mail_lists l ON l.account_id = m.account_id AND l.filling_id = m.filling_id
      LEFT JOIN mail_confirmations c
        ON c.account_id = m.account_id AND c.filling_id = m.filling_id AND c.user_id = m.user_id
      WHERE m.account_id = ${accountId} AND m.filling_id = ${generation} AND m.user_id = ${userId}
        AND l.account_id = ${accountId}`;
    if (!row || (row.pending && !row.asked)) return undefined;
    return { accountId, generation, userId, listId: row.id, listName: row.name, confirmed: !row.pending };
  }

  /**
   * Confirms, and writes it into the consent log with the language of the page. That the user wants mails ends what kept them
   * away, but not that the account deleted them.
   */
  async confirm(
    { accountId, listId, listName, generation, userId }: MailConfirmation,
    language: Language,
  ): Promise<void> {
    const { sql, users, consents } = this.#deps;
    await sql.begin(async (tx) => {
      const [user] = await users.lock(tx, accountId, [userId]);
      if (!user) return;
      if (user.status !== 'deleted') {
        await users.changeStatus(tx, accountId, [userId], 'active', { cause: 'confirmation' });
      }
      const lists = await lockMailLists(tx, accountId, [listId]);
      const { count } = await tx`
        UPDATE mail_members SET pending = false
        WHERE account_id = ${accountId} AND filling_id = ${generation} AND user_id = ${userId} AND pending`;
      if (count === 0) return;
      await tx`
        DELETE FROM mail_confirmations
        WHERE account_id = ${accountId} AND filling_id = ${generation} AND user_id = ${userId}`;
      await users.delivered(tx, accountId, [userId]);
      // Of the lists that they are in this one alone has not counted them.
      const list = lists.get(listId);
      if (user.status !== 'deleted' && list?.generation === generation) {
        await tx`
          UPDATE mail_lists SET active_count = active_count + 1 WHERE account_id = ${accountId} AND id = ${listId}`;
      }
      const said = {
        channel: 'mail',
        purpose: MARKETING,
        action: 'given',
        source: 'confirmation-link',
      } as const;
      const evidence = { form: listName, language };
      await consents.recordWithin(tx, accountId, [
        { ...said, subject: mailAddressKey(user.address), evidence },
      ]);
    });
  }

  /** The confirmations that `run` would ask for. */
  due(): DueRows {
    return this.#deps.sql`FROM mail_confirmations WHERE due_at <= ${this.#deps.clock.now()}`;
  }

  /** Hands over the mails that are due, until none is left or `stop` is called. */
  async run(): Promise<void> {
    const { sql, outbox } = this.#deps;
    if (!outbox) return;
    while (!this.#stopping) {
      const [next] = await sql<{ account_id: number }[]>`
        SELECT account_id ${this.due()} ORDER BY due_at LIMIT 1`;
      if (!next || !(await this.#ask(next.account_id, outbox))) return;
    }
  }

  /** Lets `run` end after the step that it is in. */
  stop(): void {
    this.#stopping = true;
  }

  /** Forgets what was not confirmed in time. The users stay in their lists, waiting. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM mail_confirmations WHERE requested_at < ${clock.now() - CONFIRMATION_MS}`;
  }

  /** False when another process is just doing it. */
  async #ask(accountId: number, outbox: Outbox): Promise<boolean> {
    const { sql, clock, gate } = this.#deps;
    const account = await this.#deps.accounts.byId(accountId);
    try {
      const pass = await gate.open({ accountId, rule: { claims: 'confirmation' } });
      const claimed = await sql.begin(async (tx) => {
        const due = await this.#claim(tx, accountId);
        const waiting = due.length === 0 ? [] : await this.#read(tx, accountId, due);
        const mails = waiting.map((one) => this.#mail(accountId, account?.name ?? '', one));
        if (mails.length > 0) await outbox.add(tx, pass, mails);
        return due.length;
      });
      outbox.notifyDispatcher(accountId);
      return claimed > 0;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await sql`
        UPDATE mail_confirmations SET due_at = ${clock.now() + NO_CREDIT_PAUSE_MS}
        WHERE account_id = ${accountId} AND due_at <= ${clock.now()}`;
      return true;
    }
  }

  /** Takes some that are due off the queue. */
  async #claim(tx: TransactionSql, accountId: number): Promise<Due[]> {
    const rows = await tx<Due[]>`
      SELECT filling_id, user_id FROM mail_confirmations
      WHERE account_id = ${accountId} AND due_at <= ${this.#deps.clock.now()}
      ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`;
    if (rows.length > 0) {
      await tx`
        UPDATE mail_confirmations c SET due_at = NULL
        FROM unnest(${numbers(rows.map((row) => row.filling_id))}::bigint[],
          ${numbers(rows.map((row) => row.user_id))}::bigint[]) AS u (filling_id, user_id)
        WHERE c.account_id = ${accountId} AND c.filling_id = u.filling_id AND c.user_id = u.user_id`;
    }
    return rows;
  }

  /** Who is to be asked: those who want or take no mails any more, or are in the list no more, are left out. */
  async #read(tx: TransactionSql, accountId: number, due: readonly Due[]): Promise<Waiting[]> {
    const generations = numbers(due.map((one) => one.filling_id));
    const users = numbers(due.map((one) => one.user_id));
    return tx<Waiting[]>`
      SELECT m.filling_id, m.user_id, s.address, l.name AS list_name
      FROM unnest(${generations}::bigint[], ${users}::bigint[]) AS u (filling_id, user_id)
      JOIN mail_members m ON m.account_id = ${accountId} AND m.filling_id = u.filling_id AND m.user_id = u.user_id
      JOIN mail_lists l ON l.account_id = ${accountId} AND l.filling_id = m.filling_id
      JOIN mail_users s ON s.account_id = ${accountId} AND s.id = m.user_id
      WHERE m.pending AND s.status = 'active'`;
  }

  #mail(
    accountId: number,
    accountName: string,
    { filling_id, user_id, address, list_name }: Waiting,
  ): SingleMail {
    const link = this.linkFor(accountId, filling_id, user_id);
    const language = languageOf(list_name);
    return {
      to: address,
      userId: user_id,
      ...confirmationMail(language),
      fields: { account: harmlessName(accountName), list: harmlessName(list_name) },
      secret: { name: LINK_FIELD, value: link },
    };
  }
}
