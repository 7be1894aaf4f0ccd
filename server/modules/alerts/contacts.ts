import { createHmac, timingSafeEqual } from 'node:crypto';
import { texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Work } from '../../engine/work/work.ts';
import type { PreviousKey, WorkItem, Outcome as WorkOutcome } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { mailAddressKey } from '../../kit/text/mail-address-key.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { Questions } from '../budgets/questions.ts';
import { type FraudGuard, noteAnswered } from '../fraud-guard/fraud-guard.ts';
import { type AlertLanguage, OPERATOR } from './condition.ts';
import type { Outcome } from './means/means.ts';
import type { AlertRule } from './rules.ts';

/** Path of the confirmation page; the token follows. */
export const ALERT_CONTACT_PATH = '/a/';

const DAY_MS = 86_400_000;
/** Days for which a link is valid, and after which an unconfirmed contact is deleted. */
const LINK_DAYS = 7;
/** A contact is asked once within this time, so that repeated changes of a rule do not repeat the message. */
const ASK_AGAIN_MS = DAY_MS;
/** Kind of background work. */
const KIND = 'alert-contact';
/** Longer than one attempt takes (means/means.ts). */
const DEADLINE_MS = 60_000;
const PAUSES_MS = [10, 60, 300, 1_800].map((seconds) => seconds * 1_000);
/** Contacts asked at a time, and those of one account among them. */
const AT_ONCE = 20;
const AT_ONCE_OF_ACCOUNT = 5;
const TAG_BYTES = 16;

export type ContactMeans = 'mail' | 'sms';

/** A contact that must get a confirmation request. */
export interface AskedContact {
  readonly accountId: number;
  readonly id: number;
  readonly means: ContactMeans;
  readonly recipient: string;
  readonly language: AlertLanguage;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

/** Contact named by a confirmation link. */
export interface LinkedContact {
  readonly accountId: number;
  readonly recipient: string;
  readonly confirmed: boolean;
}

/** Asks the owner of an address or number whether they want alerts. `link` confirms. */
export type AskContact = (contact: AskedContact, accountName: string, link: string) => Promise<Outcome>;

interface ContactsDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets' | 'log'> {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly budgets: Pick<BudgetBook, 'take'>;
  readonly fraudGuard: Pick<FraudGuard, 'watch' | 'count'>;
  readonly questions: Pick<Questions, 'take'>;
  readonly ask: Readonly<Record<ContactMeans, AskContact>>;
  /** Base address of the service, without a trailing slash. */
  readonly pageBase: () => string;
  readonly work: Work;
}

/** A contact that a rule asks. */
interface Asked {
  readonly means: ContactMeans;
  readonly recipient: string;
  readonly id: number;
}

/** The parts of a rule that determine its recipients. */
export interface RuleRecipients extends Pick<AlertRule, 'accountId'> {
  readonly recipients: Pick<AlertRule['recipients'], 'mails' | 'phones'>;
}

/**
 * Addresses and numbers in the alert rules of accounts. One that belongs to a person of the account, or is a verified number
 * of it, gets alerts; every other one must be confirmed by its owner first.
 */
export class AlertContacts {
  readonly #deps: ContactsDeps;
  #key: Promise<Buffer> | undefined;

  constructor(deps: ContactsDeps) {
    this.#deps = deps;
    deps.work.register({
      kind: KIND,
      owner: 'alert recipients',
      places: AT_ONCE,
      perAccount: AT_ONCE_OF_ACCOUNT,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: PAUSES_MS },
      isDiscardable: true,
      step: (item) => this.#step(item),
      reopen: async (tx, { accountId, key }) => {
        const { count } = await tx`
          UPDATE alert_contacts SET asked_at = ${deps.clock.now()}
          WHERE account_id = ${accountId} AND id = ${key} AND confirmed_at IS NULL`;
        return count > 0;
      },
      previous: {
        waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
          SELECT account_id AS "accountId", id AS key FROM alert_contacts WHERE due_at <= ${leaseNow} LIMIT ${limit}`,
        async take(tx, { accountId, key }, leaseNow) {
          const { count } = await tx`
            UPDATE alert_contacts SET due_at = NULL
            WHERE account_id = ${accountId} AND id = ${key} AND due_at <= ${leaseNow}`;
          return count === 0 ? undefined : leaseNow;
        },
      },
    });
  }

  /**
   * Asks the unconfirmed recipients of a rule, in the transaction that stores the rule; the messages are sent in the
   * background. A recipient that was asked too often, by any account, is asked a day later. Throws Refusal `over-budget` of
   * the budget `verifications`.
   */
  async ask(tx: TransactionSql, rule: RuleRecipients & Pick<AlertRule, 'recipients'>): Promise<void> {
    const { ids, clock, budgets, work } = this.#deps;
    const { accountId, recipients } = rule;
    const now = clock.now();
    const asked: Asked[] = [];
    for (const { means, recipient } of await this.unconfirmed(tx, rule)) {
      const [row] = await tx<{ id: number }[]>`
        INSERT INTO alert_contacts AS c (account_id, id, means, recipient, language, asked_at)
        VALUES (${accountId}, ${ids.next()}, ${means}, ${recipient}, ${recipients.language}, ${now})
        ON CONFLICT ON CONSTRAINT alert_contacts_recipient_key DO UPDATE SET asked_at = excluded.asked_at
        WHERE c.asked_at <= ${now - ASK_AGAIN_MS}
        RETURNING id`;
      if (row) asked.push({ means, recipient, id: row.id });
    }
    if (asked.length === 0) return;
    const later = await this.#askedTooOften(tx, asked);
    for (const { id } of asked) await work.want(tx, { accountId, kind: KIND, key: id }, later.get(id) ?? now);
    await budgets.take(tx, accountId, 'verifications', { count: asked.length });
  }

  /** Returns when contacts can be asked whose addresses or numbers were asked too often, by their ids. */
  async #askedTooOften(tx: TransactionSql, asked: readonly Asked[]): Promise<ReadonlyMap<number, number>> {
    const later = new Map<number, number>();
    for (const [means, kind] of [
      ['mail', 'mail'],
      ['sms', 'phone'],
    ] as const) {
      const contacts = asked.filter((one) => one.means === means);
      if (contacts.length === 0) continue;
      const keyOf = ({ recipient }: Asked) => (means === 'mail' ? mailAddressKey(recipient) : recipient);
      const times = await this.#deps.questions.take(tx, kind, contacts.map(keyOf));
      for (const one of contacts) {
        const dueAt = times.get(keyOf(one));
        if (dueAt !== undefined) later.set(one.id, dueAt);
      }
    }
    return later;
  }

  /** The recipients of a rule that get no alerts before their owners confirm; empty for a rule of the operator. */
  async unconfirmed(
    sql: Queryable,
    { accountId, recipients: { mails, phones } }: RuleRecipients,
  ): Promise<readonly { readonly means: ContactMeans; readonly recipient: string }[]> {
    if (accountId === OPERATOR || mails.length + phones.length === 0) return [];
    const addresses = [...new Set(mails.map((mail) => mail.toLowerCase()))];
    const known = await sql<{ means: ContactMeans; recipient: string }[]>`
      SELECT means, recipient FROM alert_contacts
      WHERE account_id = ${accountId} AND confirmed_at IS NOT NULL
      UNION ALL
      SELECT 'mail', lower(username) FROM people
      WHERE account_id = ${accountId} AND NOT suspended AND lower(username) = ANY(${texts(addresses)}::text[])
      UNION ALL
      SELECT 'sms', source FROM sources WHERE account_id = ${accountId} AND source = ANY(${texts(phones)}::text[])`;
    const isKnown = new Set(known.map(({ means, recipient }) => `${means} ${recipient}`));
    return [
      ...addresses.map((recipient) => ({ means: 'mail' as const, recipient })),
      ...[...new Set(phones)].map((recipient) => ({ means: 'sms' as const, recipient })),
    ].filter(({ means, recipient }) => !isKnown.has(`${means} ${recipient}`));
  }

  /** Returns the contact of a token; undefined for a forged token, or an old one that was never used. */
  async find(token: string): Promise<LinkedContact | undefined> {
    const { sql, clock } = this.#deps;
    const id = Number.parseInt(token.split('.', 1)[0]!, 36);
    if (!Number.isSafeInteger(id)) return undefined;
    const [contact] = await sql<(AskedContact & { confirmedAt: number | null })[]>`
      SELECT account_id AS "accountId", id, means, recipient, language, asked_at AS "askedAt",
        confirmed_at AS "confirmedAt"
      FROM alert_contacts WHERE id = ${id}`;
    if (!contact || !isSame(token, await this.#tokenOf(contact))) return undefined;
    const { accountId, recipient, askedAt, confirmedAt } = contact;
    if (confirmedAt === null && askedAt < clock.now() - LINK_DAYS * DAY_MS) return undefined;
    return { accountId, recipient, confirmed: confirmedAt !== null };
  }

  /** Confirms the contact of a token; does nothing for a token that `find` rejects. */
  async confirm(token: string): Promise<void> {
    const { sql, clock, work } = this.#deps;
    const found = await this.find(token);
    if (!found || found.confirmed) return;
    const { accountId, recipient: phone } = found;
    const now = clock.now();
    const id = Number.parseInt(token, 36);
    await sql`
      UPDATE alert_contacts SET confirmed_at = ${now}
      WHERE account_id = ${accountId} AND id = ${id} AND confirmed_at IS NULL`;
    await work.remove(sql, { accountId, kind: KIND, key: id });
    await noteAnswered(sql, { accountId, kind: 'alert-contact', phone }, now);
  }

  /** Deletes contacts that did not confirm in time. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`
      DELETE FROM alert_contacts WHERE confirmed_at IS NULL AND asked_at < ${clock.now() - LINK_DAYS * DAY_MS}`;
  }

  async #step({ accountId, key: id, attempts }: WorkItem): Promise<WorkOutcome> {
    const { sql, clock, accounts, ask, log, pageBase } = this.#deps;
    const [contact] = await sql<AskedContact[]>`
      SELECT account_id AS "accountId", id, means, recipient, language, asked_at AS "askedAt" FROM alert_contacts
      WHERE account_id = ${accountId} AND id = ${id} AND confirmed_at IS NULL`;
    const account = contact && (await accounts.byId(accountId));
    if (!account || account.suspended) return 'done';
    const { means, askedAt } = contact;
    const link = `${pageBase()}${ALERT_CONTACT_PATH}${await this.#tokenOf(contact)}`;
    const send = async () => {
      if (means === 'sms') await this.#guard(contact);
      return ask[means](contact, account.name, link);
    };
    const outcome = await send().catch((error: unknown): Outcome => {
      if (isDatabaseTrouble(error)) throw error;
      if (error instanceof Refusal) return { kind: 'later', problem: 'refused' };
      log.error({ err: error, means }, 'confirmation of an alert recipient failed');
      return { kind: 'later', problem: 'fault' };
    });
    if (outcome.kind === 'sent') return 'done';
    const { kind, problem } = outcome;
    log.warn({ account: accountId, means, problem, attempts }, 'alert recipient not asked');
    return kind === 'failed' ? 'done' : { failed: problem, isFinal: clock.now() - askedAt >= DAY_MS };
  }

  /** Counts an SMS request at the fraud guard. Throws Refusal when the guard blocks it. */
  async #guard({ accountId, recipient: phone }: AskedContact): Promise<void> {
    const { sql, fraudGuard } = this.#deps;
    await fraudGuard.watch(() =>
      sql.begin((tx) => fraudGuard.count(tx, { accountId, kind: 'alert-contact', phone })),
    );
  }

  /** `<id>.<tag>`: the tag is an HMAC, so that no secret has to be stored. */
  async #tokenOf({
    id,
    means,
    recipient,
  }: Pick<AskedContact, 'id' | 'means' | 'recipient'>): Promise<string> {
    const { sql, secrets } = this.#deps;
    this.#key ??= installationKey(sql, secrets, 'alert-contacts').catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    const tag = createHmac('sha256', await this.#key)
      .update(`${id} ${means} ${recipient}`)
      .digest();
    return `${id.toString(36)}.${tag.subarray(0, TAG_BYTES).toString('base64url')}`;
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
