import { type SendKey, settled, storeSendKey } from '../../api/send-keys/send-keys.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { accountSuspended, Refusal } from '../../kit/errors.ts';
import { takesSms } from '../../kit/numbers/line-types.ts';
import { harmlessName } from '../../kit/text/harmless-name.ts';
import type { Account, Accounts } from '../../modules/accounts/accounts.ts';
import type { LandlineCall, LandlineCodes } from '../../modules/audience/landline-codes.ts';
import {
  askedTooOften,
  type VerificationRequest,
  type VerifiedPhones,
} from '../../modules/audience/verified-phones.ts';
import type { BudgetBook } from '../../modules/budgets/budgets.ts';
import type { Questions } from '../../modules/budgets/questions.ts';
import type { FraudGuard } from '../../modules/fraud-guard/fraud-guard.ts';
import type { Acceptor } from './accept.ts';
import type { CallService } from './call-request.ts';
import { callTypes } from './calls.ts';
import { lanes } from './lanes.ts';
import type { ShipmentRequest } from './plan.ts';
import { SecretText } from './secret-text.ts';
import { type LandlineWay, whatComesNext } from './verification-request.ts';

/** Placeholders in the text: the link, the code, and the name of the account. */
const LINK = '[link]';
const CODE = '[code]';
const NAME = '[name]';
const places = /\[link\]|\[name\]|\[code\]/g;
// As long as a real token, so that a dry run returns the real cost.
const EXAMPLE_TOKEN = 'x'.repeat(22);

/** Number of times that a call speaks its code. */
const TIMES_SAID = 2;

/** Fills all placeholders in one pass, since a name may look like a placeholder. */
const fill = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(places, (place) => values[place] ?? place);

interface PhoneVerifierDeps extends Pick<Context, 'sql' | 'log'> {
  readonly budgets: Pick<BudgetBook, 'take' | 'giveBack'>;
  readonly fraudGuard: Pick<FraudGuard, 'watch' | 'count'>;
  readonly verifiedPhones: VerifiedPhones;
  readonly questions: Pick<Questions, 'take'>;
  readonly landlineCodes: LandlineCodes;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly acceptor: Acceptor;
  /** Base of the links, like `https://go.example.com`. */
  readonly linkBase: () => string;
  /** Sender of the messages: that of the service, since the account may have no sender yet. */
  readonly source: string;
  /** Text of the messages, with `[link]` and optionally `[name]`. */
  readonly text: string;
  /** Spoken text of calls to landlines, with `[name]` and `[code]`. */
  readonly callText: string;
  /** Number that the owners of landlines call. */
  readonly callNumber: string | undefined;
  readonly calls: Pick<CallService, 'problem' | 'takesCalls'>;
}

/** Asks the owners of numbers whether an account may send from them (decisions, "Single operations"). */
export class PhoneVerifier {
  readonly #deps: PhoneVerifierDeps;

  constructor(deps: PhoneVerifierDeps) {
    this.#deps = deps;
  }

  /**
   * Requests the verification of these different numbers (E.164 digits), and returns a text for the caller about the
   * next steps: mobile numbers get an SMS with a link, at the account's usual price; requests for landlines wait for a
   * call. Each SMS counts against the budget `verifications`. Throws Refusal `not-now` (limits and the fraud guard),
   * `over-budget` and those of Acceptor.accept; then nothing is sent and nothing charged.
   *
   * The requests are stored before their messages are accepted, so that every link is valid. If the process ends
   * between the two, they expire after a day. `sendKey` is stored with the messages, or with the requests for
   * landlines.
   */
  async request(account: Account, phones: readonly string[], sendKey?: SendKey<string>): Promise<string> {
    const { verifiedPhones, acceptor, log } = this.#deps;
    const way = await this.#way();
    const mobiles = phones.filter(takesSms);
    const requests = await this.#deps.fraudGuard.watch(() =>
      verifiedPhones.request(account.id, phones, async (tx, made) => {
        if (mobiles.length === 0) await storeSendKey(tx, account.id, sendKey, this.#next(made, way));
        else await this.#take(tx, account.id, mobiles);
      }),
    );
    const next = this.#next(requests, way);
    const shipment = this.#shipment(account, requests);
    try {
      if (shipment)
        await acceptor.accept(sendKey ? { ...shipment, sendKey: settled(sendKey, next) } : shipment);
    } catch (error) {
      await verifiedPhones.withdraw(account.id, requests).catch((trouble: unknown) => {
        log.warn(
          { err: trouble, account: account.id },
          'verification requests without a sent link remain for a day',
        );
      });
      await this.#giveBack(account.id, mobiles.length);
      throw error;
    }
    return next;
  }

  /** Makes the same checks as `request`, and stores, sends and charges nothing. Throws the same Refusals. */
  async check(account: Account, phones: readonly string[]): Promise<string> {
    const { verifiedPhones, acceptor } = this.#deps;
    await verifiedPhones.checkRequest(account.id, phones);
    const examples = phones.map((phone) => ({ id: 0, phone, token: EXAMPLE_TOKEN }));
    const shipment = this.#shipment(account, examples);
    if (shipment) await acceptor.check(shipment);
    return this.#next(examples, await this.#way());
  }

  /**
   * Calls back a landline (E.164 digits) from which somebody called, or claims to have called. Each account with a
   * pending request pays for one call, which names the account and speaks a code. The call itself confirms nothing.
   * Returns `called`, `unknown`, `limit`, or `refused` when no call could be accepted.
   */
  async callBack(phone: string): Promise<'called' | 'unknown' | 'limit' | 'refused'> {
    const due = await this.#deps.landlineCodes.takeCalls(phone);
    if (due.kind !== 'calls') return due.kind;
    const called = await Promise.all(due.calls.map((call) => this.#call(phone, call)));
    return called.includes(true) ? 'called' : 'refused';
  }

  async #call(phone: string, call: LandlineCall): Promise<boolean> {
    const { sql, accounts, acceptor, fraudGuard, landlineCodes, callText, source, log } = this.#deps;
    const account = await accounts.byId(call.accountId);
    let isCounted = false;
    try {
      if (!account || account.suspended) throw accountSuspended();
      await fraudGuard.watch(() => sql.begin((tx) => this.#take(tx, account.id, [phone])));
      isCounted = true;
      const values = (code: string) => fill(callText, { [NAME]: harmlessName(account.name), [CODE]: code });
      const said = SecretText.of(call.code, values);
      await acceptor.accept({
        accountId: account.id,
        lane: lanes.single,
        campaignName: null,
        source,
        text: null,
        items: [{ phone, externalId: null, source: null, text: said }],
        call: { type: callTypes.callOnly, voice: 'ymMale', rate: 0, repeat: TIMES_SAID, text: said.shown },
        dueAt: null,
        recentDays: null,
        rule: { claims: 'verification', ids: [call.requestId] },
        international: true,
      });
      return true;
    } catch (error) {
      await landlineCodes.giveBack(call);
      if (isCounted) await this.#giveBack(call.accountId, 1);
      if (!(error instanceof Refusal)) throw error;
      log.info({ account: call.accountId, reason: error.code }, 'a landline was not called back');
      return false;
    }
  }

  /** Counts verification requests to numbers. Throws Refusal `over-budget`, and the refusals of `FraudGuard.watch`. */
  async #take(tx: TransactionSql, accountId: number, phones: readonly string[]): Promise<void> {
    const { budgets, fraudGuard, questions } = this.#deps;
    const [full] = (await questions.take(tx, 'phone', phones)).keys();
    if (full !== undefined) throw askedTooOften(full);
    await budgets.take(tx, accountId, 'verifications', { count: phones.length });
    for (const phone of phones) await fraudGuard.count(tx, { accountId, kind: 'verification', phone });
  }

  /**
   * Returns unsent verification requests to the budget. Does not throw, since the caller must see the refusal that led
   * here.
   */
  async #giveBack(accountId: number, count: number): Promise<void> {
    const { sql, budgets, log } = this.#deps;
    await sql
      .begin((tx) => budgets.giveBack(tx, accountId, 'verifications', { count }))
      .catch((error: unknown) => log.warn({ err: error, account: accountId }, 'budget not refunded'));
  }

  async #way(): Promise<LandlineWay> {
    const { callNumber, calls } = this.#deps;
    const isCalled = callNumber !== undefined && calls.takesCalls();
    return { callNumber, callsBack: isCalled && (await calls.problem()) === undefined };
  }

  #next(requests: readonly VerificationRequest[], way: LandlineWay): string {
    return whatComesNext(requests, way, ({ token }) => `${this.#deps.linkBase()}/v/${token}`);
  }

  /** Returns the messages of requests; undefined when all requests are for landlines. */
  #shipment(account: Account, requests: readonly VerificationRequest[]): ShipmentRequest | undefined {
    const { linkBase, source, text } = this.#deps;
    const name = harmlessName(account.name);
    const items = requests.flatMap(({ phone, token }) => {
      if (!takesSms(phone)) return [];
      const filled = SecretText.of(token, (value) =>
        fill(text, { [LINK]: `${linkBase()}/v/${value}`, [NAME]: name }),
      );
      return [{ phone, externalId: null, source: null, text: filled }];
    });
    if (items.length === 0) return undefined;
    return {
      accountId: account.id,
      lane: lanes.single,
      campaignName: null,
      source,
      text: null,
      items,
      dueAt: null,
      recentDays: null,
      rule: { claims: 'verification', ids: requests.map(({ id }) => id) },
      // The caller has already rejected foreign numbers that the account did not allow.
      international: true,
    };
  }
}
