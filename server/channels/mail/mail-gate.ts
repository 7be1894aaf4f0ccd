import type { AskedSend, Gate, Pass } from '../../engine/gate/gate.ts';
import type { MailSenders } from './senders.ts';

/** An email of an account before the gate. */
interface AskedMail extends AskedSend {
  /** Address of its sender. */
  readonly from: string;
}

/** The gate for emails of accounts. It calls `Gate`, then decides whether the account may use the sender. */
export class MailGate {
  readonly #deps: {
    readonly gate: Pick<Gate, 'open' | 'campaign'>;
    readonly senders: Pick<MailSenders, 'check'>;
  };

  constructor(deps: { readonly gate: Pick<Gate, 'open' | 'campaign'>; readonly senders: MailSenders }) {
    this.#deps = deps;
  }

  /**
   * Checks emails for immediate sending. Throws Refusal as `Gate.open` does, and `source-not-verified` for a sender
   * without approval.
   */
  async open({ from, ...asked }: AskedMail, code?: Parameters<Gate['open']>[1]): Promise<Pass> {
    const pass = await this.#deps.gate.open(asked, code);
    await this.#deps.senders.check(pass.accountId, from);
    return pass;
  }

  /**
   * Checks a campaign that begins at `at` (milliseconds since the epoch). Throws Refusal as `Gate.campaign` does, and
   * `source-not-verified` for a sender without approval.
   */
  async campaign(
    { from, ...asked }: AskedMail,
    at: number,
    code?: Parameters<Gate['campaign']>[2],
  ): Promise<Pass> {
    const pass = await this.#deps.gate.campaign(asked, at, code);
    await this.#deps.senders.check(pass.accountId, from);
    return pass;
  }
}
