import type { Context } from '../../kit/context.ts';
import { accountSuspended, type SuspendedCode } from '../../kit/errors.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { SendingGate } from '../../modules/sending-policy/gate.ts';
import type { OwnHours, SendingRule, Transactional } from '../../modules/sending-policy/policy.ts';
import type { SendingPolicies } from '../../modules/sending-policy/sending-policies.ts';
import { type Claim, type FindEvidence, findEvidence } from './evidence.ts';

/**
 * Proof that the gate let a send of an account through. Functions that store messages, batches, mails or campaigns take one.
 * Only this file makes passes: the class is exported as a type alone, and its private field keeps other objects from being one.
 */
class GatePass {
  readonly #accountId: number;
  /** Stored statement of the send to the sending policy of its account; null without one. */
  readonly rule: SendingRule | null;
  /** Whether it is of a dry run, by which nothing can be stored. */
  readonly isDry: boolean;

  constructor(accountId: number, rule: SendingRule | null, isDry = false) {
    this.#accountId = accountId;
    this.rule = rule;
    this.isDry = isDry;
  }

  get accountId(): number {
    return this.#accountId;
  }

  /** Whether it belongs to no account: the pass of the operator's own mails. */
  get isOperators(): boolean {
    return this.#accountId === NOBODY;
  }
}

export type Pass = GatePass;

/** The account of passes that the operator's own mails have. No account has this id. */
const NOBODY = 0;

/** Request of a send to the sending policy of its account. A claim counts only after the gate has found its evidence. */
export type AskedRule = OwnHours | Transactional | Claim;

/** A send that asks to pass. */
export interface AskedSend {
  readonly accountId: number;
  /** Null: it says nothing. */
  readonly rule: AskedRule | null;
  /** Recipients, to find the evidence of the claim. Not needed without a claim. */
  readonly recipients?: readonly string[];
  /** Whether nothing will be stored: evidence that would be stored just before the send counts as found. */
  readonly isDry?: boolean;
}

export interface GateDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly accounts: Pick<Accounts, 'cached' | 'byId' | 'refresh'>;
  readonly sendingPolicies: Pick<SendingPolicies, 'refresh'>;
  readonly sendingGate: Pick<SendingGate, 'singleFrom' | 'checkCampaign' | 'checkTransactional'>;
}

/**
 * The one gate before every send (docs/decisions/0014-one-gate-before-every-send.md). It decides from memory: accounts and
 * policies are reloaded when they are two seconds old, for all accounts together, so that most passes cost no statement.
 */
export class Gate {
  readonly #deps: GateDeps;
  readonly #evidence = new Map<string, FindEvidence>();

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** Adds what finds the evidence for claims of a channel, by its name. */
  addEvidence(channel: string, find: FindEvidence): void {
    this.#evidence.set(channel, find);
  }

  /** Reads accounts and policies again where they are too old. Call it once for a group, before `admit`. */
  async refresh(accountIds: Iterable<number>): Promise<void> {
    const { accounts, sendingPolicies } = this.#deps;
    await accounts.refresh();
    await sendingPolicies.refresh();
    // Another process may have created the account a moment ago.
    for (const id of accountIds) if (!accounts.cached(id)) await accounts.byId(id);
  }

  /**
   * Lets a send pass, by what `refresh` has read. The evidence of a claim is looked up, and only then there is a promise: other
   * sends cost no statement. Throws Refusal `not-now` (or `code`) for an account that is suspended, whose parent account is, or
   * that does not exist, and `not-allowed` for a transactional send that the policy of the account does not allow.
   */
  admit(
    { accountId, rule, recipients = [], isDry = false }: AskedSend,
    code?: SuspendedCode,
  ): Pass | Promise<Pass> {
    this.#checkSuspended(accountId, code);
    if (rule === null || 'hours' in rule) return new GatePass(accountId, rule, isDry);
    if (isDry && 'claims' in rule && rule.claims !== 'reply')
      return new GatePass(accountId, { exempt: true }, true);
    if ('claims' in rule) return this.#prove(accountId, rule, recipients);
    this.#deps.sendingGate.checkTransactional(accountId);
    return new GatePass(accountId, rule, isDry);
  }

  /** As `admit`, after a `refresh` for this account. */
  async open(asked: AskedSend, code?: SuspendedCode): Promise<Pass> {
    await this.refresh([asked.accountId]);
    return this.admit(asked, code);
  }

  /**
   * Lets the next messages of a campaign pass that was let through before, with the rule that was stored then. Throws Refusal as
   * `admit` does.
   */
  again({ account_id: accountId }: { readonly account_id: number }, stored: SendingRule | null): Pass {
    this.#checkSuspended(accountId);
    return new GatePass(accountId, stored);
  }

  #checkSuspended(accountId: number, code?: SuspendedCode): void {
    if (!this.isSuspended(accountId)) return;
    throw accountSuspended(code);
  }

  async #prove(accountId: number, claim: Claim, recipients: readonly string[]): Promise<Pass> {
    const { sql, clock } = this.#deps;
    const found = await findEvidence(sql, this.#evidence, { accountId, claim, recipients, now: clock.now() });
    return new GatePass(accountId, found ? { exempt: found } : null);
  }

  /**
   * Lets a campaign pass that begins at `at` (milliseconds since the epoch). Throws Refusal as `admit` does, and `not-now` when
   * it is permitted to nobody then and is not to wait.
   */
  async campaign(asked: AskedSend, at: number, code?: SuspendedCode): Promise<Pass> {
    const pass = await this.open(asked, code);
    await this.#deps.sendingGate.checkCampaign(pass.accountId, pass.rule, at);
    return pass;
  }

  /**
   * Lets a single message for now pass, with the time from which it is permitted (milliseconds since the epoch). `channel` is an
   * id. Throws Refusal as `admit` does, and `not-now` for one that is not permitted and is not to wait, or whose recipient has
   * not agreed.
   */
  async single(
    asked: AskedSend,
    { recipient, channel }: { readonly recipient: string; readonly channel: number },
    now: number,
    code?: SuspendedCode,
  ): Promise<{ readonly pass: Pass; readonly dueAt: number }> {
    const pass = await this.open(asked, code);
    const { accountId, rule } = pass;
    const dueAt = rule
      ? now
      : await this.#deps.sendingGate.singleFrom({ accountId, recipient, channel }, now);
    return { pass, dueAt };
  }

  /**
   * Lets a mail pass that the service writes itself, for an account or, with null, for the operator. Undefined for an account
   * that is suspended.
   */
  async service(accountId: number | null): Promise<Pass | undefined> {
    if (accountId === null) return new GatePass(NOBODY, null);
    await this.refresh([accountId]);
    return this.isSuspended(accountId) ? undefined : new GatePass(accountId, null);
  }

  /**
   * Checks that an account may have work done for it that is no message: a file stored, a text spoken. Throws Refusal `not-now`
   * for an account that is suspended.
   */
  async check(accountId: number, code?: SuspendedCode): Promise<void> {
    await this.open({ accountId, rule: null }, code);
  }

  /** Whether an account, or its parent account, is suspended, as far as this process knows. Unknown accounts are. */
  isSuspended(accountId: number): boolean {
    return this.#deps.accounts.cached(accountId)?.suspended ?? true;
  }
}

/**
 * Throws Error, a fault of ours, for passes of dry runs, and for rows of one account unless all passes are its own. Rows of
 * several accounts name the account of each.
 */
export function checkPasses(accounts: unknown, passes: readonly Pass[]): void {
  const isWrong = (pass: Pass) => pass.isDry || (typeof accounts === 'number' && pass.accountId !== accounts);
  if (passes.some(isWrong)) throw new Error('the pass is of another account, or of a dry run');
}
