import type { Gate } from '../../engine/gate/gate.ts';
import type { Context } from '../../kit/context.ts';
import { mailAddressKey } from '../../kit/text/mail-address-key.ts';
import type { SendServiceMail } from '../alerts/means/mail.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { MailBudget } from '../budgets/mail-budget.ts';
import type { Questions } from '../budgets/questions.ts';
import type { OneTimeLink } from '../people/one-time-links.ts';
import type { People } from '../people/people.ts';
import type { Person } from '../people/person.ts';
import { type LinkReason, linkMail } from './link-mails.ts';

const BUDGET = 'verifications';
/** User names that are email addresses. They have no other characters than user names may have. */
const address = /^[\w.-]+@[\w-]+(\.[\w-]+)+$/;

interface InvitationsDeps extends Pick<Context, 'sql' | 'ids' | 'log'> {
  readonly people: Pick<People, 'byUsername' | 'reset'>;
  readonly gate: Pick<Gate, 'service'>;
  readonly budgets: Pick<BudgetBook, 'tryTake'>;
  readonly questions: Pick<Questions, 'take'>;
  /** Undefined without a relay. */
  readonly mailer: () => SendServiceMail | undefined;
  /** Base address of the console, without a trailing slash. */
  readonly pageBase: () => string;
}

/**
 * Mails links for choosing a password to people whose user name is an email address, where a relay is configured. One
 * address gets at most three such emails a day, from all accounts together.
 */
export class Invitations {
  readonly #deps: InvitationsDeps;

  constructor(deps: InvitationsDeps) {
    this.#deps = deps;
  }

  /** Whether links can be mailed. */
  get canMail(): boolean {
    return this.#deps.mailer() !== undefined;
  }

  /**
   * Mails a link. Returns the address; null if the link was not mailed: there is no relay, the user name is no address, a
   * limit is reached, or the relay does not accept the email.
   */
  async mail(person: Person, link: OneTimeLink, reason: LinkReason): Promise<string | null> {
    const { mailer, gate, pageBase, ids, log } = this.#deps;
    const { id, accountId, username: to } = person;
    const send = mailer();
    if (!send || !address.test(to)) return null;
    const pass = await gate.service(accountId);
    if (!pass || !(await this.#take(accountId, to))) return null;
    const budget: MailBudget = accountId === null ? { exempt: 'operator' } : BUDGET;
    const language = person.language ?? 'en';
    const mail = linkMail(language, reason, to, `${pageBase()}/password#${link.token}`);
    const outcome = await send(pass, { id: `person-link-${ids.next()}`, to, language, budget, ...mail });
    if (outcome.kind === 'sent') return to;
    log.warn({ person: id, problem: outcome.problem }, 'password link not mailed');
    return null;
  }

  /**
   * Mails a link to a person who has forgotten their password. Does nothing for an unknown user name, a suspended person,
   * one who signs in with a provider, or one whose user name is no email address.
   */
  async forgotten(username: string): Promise<void> {
    const { sql, people } = this.#deps;
    if (!this.canMail || !address.test(username)) return;
    const person = await people.byUsername(username);
    if (!person || person.suspended || person.providerId !== null) return;
    const rows =
      await sql`SELECT 1 FROM people_rules WHERE account_id = ${person.accountId} AND provider_only`;
    if (rows.length > 0) return;
    const link = await people.reset(person.accountId, person.id, { secondFactor: false });
    if (link) await this.mail(person, link, 'forgotten');
  }

  /** Takes an email from the limit of its address and from the budget of the account. Returns whether both permit it. */
  async #take(accountId: number | null, to: string): Promise<boolean> {
    const { sql, questions, budgets } = this.#deps;
    return sql.begin(async (tx) => {
      if ((await questions.take(tx, 'mail', [mailAddressKey(to)])).size > 0) return false;
      return accountId === null || (await budgets.tryTake(tx, accountId, BUDGET, { count: 1 })) === undefined;
    });
  }
}
