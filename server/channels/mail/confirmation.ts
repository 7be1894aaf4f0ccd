import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Gate } from '../../engine/gate/gate.ts';
import type { WorkRunner } from '../../engine/work/runner.ts';
import type { Work } from '../../engine/work/work.ts';
import type { Outcome, PreviousKey, WorkItem } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { harmlessName } from '../../kit/text/harmless-name.ts';
import { type Language, languageOf } from '../../kit/text/language.ts';
import { mailAddressKey } from '../../kit/text/mail-address-key.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { BudgetBook } from '../../modules/budgets/budgets.ts';
import type { Questions } from '../../modules/budgets/questions.ts';
import { type Consents, MARKETING } from '../../modules/consents/consents.ts';
import type { MailCodes } from './codes.ts';
import { ALL_OF_ACCOUNT, MAIL_CONFIRMATION } from './confirmation-rows.ts';
import { confirmationMail, LINK_FIELD } from './confirmation-words.ts';
import { type LockedList, lockMailLists } from './list-rows.ts';
import type { Outbox, SingleMail } from './outbox.ts';
import type { MailUser } from './user-rows.ts';
import type { MailUsers } from './users.ts';

/** Path of the confirmation page, below the address of the service. */
export const CONFIRMATION_PATH = '/mail/confirm/';

/** Milliseconds that the link in an email is valid. */
export const CONFIRMATION_MS = 30 * 86_400_000;

/** Confirmation emails stored per transaction. */
const AT_ONCE = 200;

/** The pause of an account that may not send now, or has no credit for its confirmations. */
const REFUSED_PAUSE_MS = 600_000;
/** Longer than one step takes. */
const DEADLINE_MS = 120_000;

/** Maximum number of list names in an email for several lists. The page behind its link shows all of them. */
const MAX_NAMES = 3;

/** A list that a user confirms. */
interface ConfirmedList {
  readonly id: number;
  readonly name: string;
  readonly generation: number;
}

/** Content of a confirmation link. */
interface MailConfirmation {
  readonly accountId: number;
  readonly userId: number;
  /** All unconfirmed lists of the user in the account; if none is left, the list of the link. */
  readonly lists: readonly ConfirmedList[];
  readonly confirmed: boolean;
}

interface Due {
  readonly filling_id: number;
  readonly user_id: number;
}

interface Waiting extends Due {
  readonly address: string;
  readonly address_key: string;
  readonly list_name: string;
}

interface ConfirmationDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly accounts: Accounts;
  readonly users: MailUsers;
  readonly consents: Pick<Consents, 'recordWithin'>;
  readonly gate: Pick<Gate, 'open'>;
  readonly budgets: Pick<BudgetBook, 'takeSome'>;
  readonly questions: Pick<Questions, 'take'>;
  readonly codes: MailCodes;
  /** Beginning of links, without a slash at the end. */
  readonly base: () => string;
  /** Undefined in a process that sends no emails; confirmations then wait. */
  readonly outbox: Outbox | undefined;
  readonly work: Pick<Work, 'register'>;
}

/**
 * Double opt-in: a user added to a list with this setting is pending, gets one email with a link, and becomes active by
 * pressing the button behind it.
 */
export class MailConfirmations {
  readonly #deps: ConfirmationDeps;
  readonly #runner: WorkRunner;

  constructor(deps: ConfirmationDeps) {
    this.#deps = deps;
    this.#runner = deps.work.register({
      kind: MAIL_CONFIRMATION,
      owner: 'confirmations',
      places: 1,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: [REFUSED_PAUSE_MS] },
      isReady: () => deps.outbox !== undefined,
      step: (item) => this.#step(item),
      previous: {
        waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
          SELECT DISTINCT c.account_id AS "accountId", ${ALL_OF_ACCOUNT}::bigint AS key FROM mail_confirmations c
          WHERE c.due_at <= ${leaseNow} AND NOT EXISTS (
            SELECT FROM work w
            WHERE w.account_id = c.account_id AND w.kind = ${MAIL_CONFIRMATION} AND w.key = ${ALL_OF_ACCOUNT})
          LIMIT ${limit}`,
        // The transaction of the mails takes the rows, so both versions can work on them.
        take: async (_, __, leaseNow) => leaseNow,
      },
    });
  }

  /** Returns the link by which a user confirms this generation of a list. */
  linkFor(accountId: number, generation: number, userId: number): string {
    const code = this.#deps.codes.encode('confirm', [accountId, generation, userId]);
    return this.#deps.base() + CONFIRMATION_PATH + code;
  }

  /**
   * Returns the content of a code; undefined for an invalid or expired code, or one for a list that was emptied since.
   */
  async find(code: string): Promise<MailConfirmation | undefined> {
    const fields = this.#deps.codes.decode('confirm', code)?.map(Number);
    if (!fields) return undefined;
    const [accountId, generation, userId] = fields as [number, number, number];
    const rows = await this.#deps.sql<(ConfirmedList & { pending: boolean })[]>`
      SELECT l.id, l.name, m.filling_id AS generation, m.pending
      FROM mail_members m JOIN mail_lists l ON l.account_id = m.account_id AND l.filling_id = m.filling_id
      LEFT JOIN mail_confirmations c
        ON c.account_id = m.account_id AND c.filling_id = m.filling_id AND c.user_id = m.user_id
      WHERE m.account_id = ${accountId} AND m.user_id = ${userId} AND l.account_id = ${accountId}
        AND (m.filling_id = ${generation} OR m.pending) AND (NOT m.pending OR c.user_id IS NOT NULL)
      ORDER BY l.id`;
    if (!rows.some((row) => row.generation === generation)) return undefined;
    const pending = rows.filter((row) => row.pending);
    const confirmed = pending.length === 0;
    const lists = (confirmed ? rows : pending).map(({ id, name, generation }) => ({ id, name, generation }));
    return { accountId, userId, lists, confirmed };
  }

  /**
   * Confirms the lists, and writes the consents to the consent log with the language of the page. Confirmation ends an
   * earlier unsubscription or bounce, but not a deletion by the account.
   */
  async confirm(
    { accountId, userId, lists: confirmed }: MailConfirmation,
    language: Language,
  ): Promise<void> {
    const { sql, users } = this.#deps;
    await sql.begin(async (tx) => {
      const [user] = await users.lock(tx, accountId, [userId]);
      if (!user) return;
      if (user.status !== 'deleted') {
        await users.changeStatus(tx, accountId, [userId], 'active', { cause: 'confirmation' });
      }
      const ids = confirmed.map(({ id }) => id);
      const lists = await lockMailLists(tx, accountId, ids);
      for (const list of confirmed) {
        await this.#confirmList(tx, accountId, user, list, lists.get(list.id), language);
      }
    });
  }

  async #confirmList(
    tx: TransactionSql,
    accountId: number,
    user: Pick<MailUser, 'id' | 'address' | 'status'>,
    { id, name, generation }: ConfirmedList,
    list: LockedList | undefined,
    language: Language,
  ): Promise<void> {
    const { users, consents } = this.#deps;
    const userId = user.id;
    const { count } = await tx`
        UPDATE mail_members SET pending = false
        WHERE account_id = ${accountId} AND filling_id = ${generation} AND user_id = ${userId} AND pending`;
    if (count === 0) return;
    await tx`
        DELETE FROM mail_confirmations
        WHERE account_id = ${accountId} AND filling_id = ${generation} AND user_id = ${userId}`;
    await users.delivered(tx, accountId, [userId]);
    // This is the only list of the user that has not counted them.
    if (user.status !== 'deleted' && list?.generation === generation) {
      await tx`
          UPDATE mail_lists SET active_count = active_count + 1 WHERE account_id = ${accountId} AND id = ${id}`;
    }
    const said = {
      channel: 'mail',
      purpose: MARKETING,
      action: 'given',
      source: 'confirmation-link',
    } as const;
    const evidence = { form: name, language };
    await consents.recordWithin(tx, accountId, [
      { ...said, subject: mailAddressKey(user.address), evidence },
    ]);
  }

  /** Hands over the mails that are due, until none is left. */
  run(): Promise<void> {
    return this.#runner.run();
  }

  /** Deletes expired confirmations. Their users stay in the lists as pending. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM mail_confirmations WHERE requested_at < ${clock.now() - CONFIRMATION_MS}`;
  }

  /** Hands over some mails of an account. The next ones follow after the turns of other accounts. */
  async #step({ accountId }: WorkItem): Promise<Outcome> {
    const { sql, clock, gate } = this.#deps;
    const first = await this.#nextDue(accountId);
    if (first === null) return 'done';
    if (first > clock.now()) return { later: first };
    const outbox = this.#deps.outbox!;
    const account = await this.#deps.accounts.byId(accountId);
    try {
      const pass = await gate.open({ accountId, rule: { claims: 'confirmation', over: 'mail' } });
      await sql.begin(async (tx) => {
        const due = await this.#claim(tx, accountId);
        const waiting = due.length === 0 ? [] : await this.#read(tx, accountId, due);
        const asked = await this.#permitted(tx, accountId, waiting);
        const mails = asked.map((lists) => this.#mail(accountId, account?.name ?? '', lists));
        if (mails.length > 0) await outbox.add(tx, pass, mails, 'verifications');
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { failed: error.code };
    }
    outbox.notifyDispatcher(accountId);
    const next = await this.#nextDue(accountId);
    return next === null ? 'done' : { later: next };
  }

  /** Returns when the next mail of an account is due; null when none waits. */
  async #nextDue(accountId: number): Promise<number | null> {
    const [row] = await this.#deps.sql<{ due_at: number | null }[]>`
      SELECT min(due_at) AS due_at FROM mail_confirmations WHERE account_id = ${accountId} AND due_at IS NOT NULL`;
    return row!.due_at;
  }

  /** Takes some due confirmations from the queue. */
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

  /** Returns the users to ask, without those who have unsubscribed, cannot receive emails, or have left the list. */
  async #read(tx: TransactionSql, accountId: number, due: readonly Due[]): Promise<Waiting[]> {
    const generations = numbers(due.map((one) => one.filling_id));
    const users = numbers(due.map((one) => one.user_id));
    return tx<Waiting[]>`
      SELECT m.filling_id, m.user_id, s.address, s.address_key, l.name AS list_name
      FROM unnest(${generations}::bigint[], ${users}::bigint[]) AS u (filling_id, user_id)
      JOIN mail_members m ON m.account_id = ${accountId} AND m.filling_id = u.filling_id AND m.user_id = u.user_id
      JOIN mail_lists l ON l.account_id = ${accountId} AND l.filling_id = m.filling_id
      JOIN mail_users s ON s.account_id = ${accountId} AND s.id = m.user_id
      WHERE m.pending AND s.status = 'active'
      ORDER BY l.id`;
  }

  /**
   * Returns the lists of each user who is asked now: one email for all lists of a user. Users whose address was asked
   * too often, by any account, and users over the budget of the account wait for the next day.
   */
  async #permitted(
    tx: TransactionSql,
    accountId: number,
    waiting: readonly Waiting[],
  ): Promise<readonly (readonly [Waiting, ...Waiting[]])[]> {
    if (waiting.length === 0) return [];
    const { budgets, questions } = this.#deps;
    const users = [...Map.groupBy(waiting, (one) => one.user_id).values()] as [Waiting, ...Waiting[]][];
    const keyOf = ([{ address_key }]: readonly [Waiting, ...Waiting[]]) => address_key;
    const later = await questions.take(tx, 'mail', users.map(keyOf));
    const free = users.filter((lists) => !later.has(keyOf(lists)));
    const { taken, renewsAt } = await budgets.takeSome(tx, accountId, 'verifications', free.length);
    const asked = new Set(free.slice(0, taken));
    const postponed = users.filter((lists) => !asked.has(lists));
    await this.#postpone(
      tx,
      accountId,
      postponed.flatMap((lists) =>
        lists.map((one) => ({ ...one, dueAt: later.get(keyOf(lists)) ?? renewsAt })),
      ),
    );
    return [...asked];
  }

  async #postpone(
    tx: TransactionSql,
    accountId: number,
    rows: readonly (Due & { readonly dueAt: number })[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await tx`
      UPDATE mail_confirmations c SET due_at = u.due_at
      FROM unnest(${numbers(rows.map((row) => row.filling_id))}::bigint[],
        ${numbers(rows.map((row) => row.user_id))}::bigint[], ${numbers(rows.map((row) => row.dueAt))}::bigint[])
        AS u (filling_id, user_id, due_at)
      WHERE c.account_id = ${accountId} AND c.filling_id = u.filling_id AND c.user_id = u.user_id`;
  }

  #mail(accountId: number, accountName: string, lists: readonly [Waiting, ...Waiting[]]): SingleMail {
    const [{ filling_id, user_id, address, list_name }] = lists;
    const names = lists.slice(0, MAX_NAMES).map((one) => harmlessName(one.list_name));
    const list = [...names, ...(lists.length > MAX_NAMES ? ['…'] : [])].join(', ');
    const link = this.linkFor(accountId, filling_id, user_id);
    const language = languageOf(list_name);
    return {
      to: address,
      userId: user_id,
      ...confirmationMail(language),
      fields: { account: harmlessName(accountName), list },
      secret: { name: LINK_FIELD, value: link },
    };
  }
}
