import type { Account } from '../accounts/accounts.ts';
import type { VerificationRequest, VerifiedPhones } from '../audience/verified-phones.ts';
import { takesSms } from '../numbers/line-types.ts';
import type { Logger } from '../observability/log.ts';
import { harmlessName } from '../text/harmless-name.ts';
import type { Acceptor } from './accept.ts';
import { lanes } from './lanes.ts';
import type { ShipmentRequest } from './plan.ts';
import { SecretText } from './secret-text.ts';

/** Where the link goes in the text, and how people call the account that asks. */
export const LINK = '[link]';
const places = /\[link\]|\[name\]/g;
// As long as a real one: what a dry run would cost is what it costs.
const EXAMPLE_TOKEN = 'x'.repeat(22);

export interface PhoneVerifierParts {
  readonly verifiedPhones: VerifiedPhones;
  readonly acceptor: Acceptor;
  readonly log: Logger;
  /** What the links begin with, up to the last slash but one: `https://go.example.com`. */
  readonly linkBase: () => string;
  /** Sender of the messages: the service's own, since the account may have none yet. */
  readonly source: string;
  /** Text of the messages, with `[link]` and perhaps `[name]` in it. */
  readonly text: string;
}

/** Asks the owners of numbers whether an account may send from them (decisions, "Single operations"). */
export class PhoneVerifier {
  readonly #parts: PhoneVerifierParts;

  constructor(parts: PhoneVerifierParts) {
    this.#parts = parts;
  }

  /**
   * Asks for these different numbers (E.164 digits): mobiles get an SMS with a link, which the account pays like any
   * other; the requests of landlines wait for a call. Throws Refusal `not-now` and those of Acceptor.accept, and then
   * nothing is asked and nothing charged.
   *
   * The requests are stored before their messages are accepted, so that no link leads nowhere. Should the process end
   * between the two, they wait for nobody and are over after a day.
   */
  async request(account: Account, phones: readonly string[]): Promise<void> {
    const { verifiedPhones, acceptor, log } = this.#parts;
    const requests = await verifiedPhones.request(account.id, phones);
    const shipment = this.#shipment(account, requests);
    if (!shipment) return;
    try {
      await acceptor.accept(shipment);
    } catch (error) {
      await verifiedPhones.withdraw(account.id, requests).catch((trouble: unknown) => {
        log.warn({ err: trouble, account: account.id }, 'requests whose links were not sent stay for a day');
      });
      throw error;
    }
  }

  /** Makes the same checks as `request`, and stores, sends and charges nothing. Throws the same Refusals. */
  async check(account: Account, phones: readonly string[]): Promise<void> {
    const { verifiedPhones, acceptor } = this.#parts;
    await verifiedPhones.checkRequest(account.id, phones);
    const examples = phones.map((phone) => ({ id: 0, phone, token: takesSms(phone) ? EXAMPLE_TOKEN : null }));
    const shipment = this.#shipment(account, examples);
    if (shipment) await acceptor.check(shipment);
  }

  /** The messages of requests; undefined when all are landlines'. */
  #shipment(account: Account, requests: readonly VerificationRequest[]): ShipmentRequest | undefined {
    const { linkBase, source, text } = this.#parts;
    const name = harmlessName(account.name);
    const items = requests.flatMap(({ phone, token }) => {
      if (token === null) return [];
      const filled = SecretText.of(token, (value) => {
        const link = `${linkBase()}/v/${value}`;
        // In one go: a name may look like the place of the link.
        return text.replace(places, (place) => (place === LINK ? link : name));
      });
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
    };
  }
}
