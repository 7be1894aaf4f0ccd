import { isOpen, type OpeningHours, type WeekHours } from '../../kit/week-hours.ts';
import { type MobileNetwork, NetworkCondition } from './network-condition.ts';

/** Kinds of messages: one-time codes, messages of campaigns that are not declared transactional (marketing), and all others. */
export const messageKinds = ['code', 'transactional', 'marketing'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Hours of the week in a time zone. */
export interface RouteHours {
  /** IANA name. */
  readonly zone: string;
  readonly week: WeekHours;
}

/** Conditions on the messages of a route, apart from the prefix. All must hold; an absent condition always holds. */
export interface RouteConditions {
  /** Ids of accounts. */
  readonly accounts?: readonly number[] | undefined;
  /** Senders, as the recipient sees them; upper and lower case are the same. */
  readonly senders?: readonly string[] | undefined;
  readonly kinds?: readonly MessageKind[] | undefined;
  readonly hours?: RouteHours | undefined;
  /** Mobile networks of the recipient, as `425` or `425-01`. */
  readonly networks?: readonly string[] | undefined;
}

/** Properties of a message that determine its route. */
export interface RoutedMessage {
  readonly accountId: number;
  /** Sender, as the recipient sees it. */
  readonly source: string;
  /** E.164 digits. */
  readonly destination: string;
  readonly kind: MessageKind;
  /** When it is due, in milliseconds since the epoch. */
  readonly at: number;
  /** Of the recipient; null: it is not known. Absent: it was not looked up. */
  readonly network?: MobileNetwork | null | undefined;
}

/** Name of a condition; `prefixes` is that of the route itself. */
export type ConditionName = 'accounts' | 'senders' | 'kinds' | 'hours' | 'networks';

const MINUTE_MS = 60_000;

/** Conditions of a route, prepared for many messages. */
export class Conditions {
  readonly #accounts: ReadonlySet<number> | undefined;
  readonly #senders: ReadonlySet<string> | undefined;
  readonly #kinds: ReadonlySet<MessageKind> | undefined;
  readonly #hours: OpeningHours | undefined;
  readonly #networks: NetworkCondition | undefined;
  /** The minute that was judged last: reading the hours takes 50 µs, most messages are due now. */
  #minute = -1;
  #isOpen = false;

  constructor({ accounts, senders, kinds, hours, networks }: RouteConditions) {
    this.#accounts = accounts && new Set(accounts);
    this.#senders = senders && new Set(senders.map((sender) => sender.toLowerCase()));
    this.#kinds = kinds && new Set(kinds);
    this.#hours = hours && { hours: hours.week, closedDates: new Set(), zone: hours.zone };
    this.#networks = networks && new NetworkCondition(networks);
  }

  /** Returns the first condition that does not hold for a message, or is not known to; undefined when all hold. */
  failing(message: RoutedMessage): ConditionName | undefined {
    const failing = this.failingOfSend(message, message.source.toLowerCase());
    if (failing) return failing;
    if (!this.isOpenAt(message.at)) return 'hours';
    return this.isOfNetwork(message) ? undefined : 'networks';
  }

  /** As `failing`, without hours and networks: the same for all messages of a send. `sender` is in lower case. */
  failingOfSend({ accountId, kind }: RoutedMessage, sender: string): ConditionName | undefined {
    if (this.#accounts && !this.#accounts.has(accountId)) return 'accounts';
    if (this.#senders && !this.#senders.has(sender)) return 'senders';
    return this.#kinds && !this.#kinds.has(kind) ? 'kinds' : undefined;
  }

  /** Whether a message that is due at a time, in milliseconds since the epoch, is within the hours. */
  isOpenAt(at: number): boolean {
    return this.#hours === undefined || this.#isWithin(this.#hours, at);
  }

  /** Whether the recipient is of one of the networks; undefined if its network has to be looked up to know. */
  isOfNetwork({ destination, network }: RoutedMessage): boolean | undefined {
    return this.#networks === undefined || this.#networks.holds(destination, network);
  }

  #isWithin(hours: OpeningHours, at: number): boolean {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#isOpen = isOpen(hours, at);
    }
    return this.#isOpen;
  }
}

/** Whether each message that fulfils `narrow` also fulfils `wide`, as far as the lists show: hours must be the same. */
export function includes(wide: RouteConditions, narrow: RouteConditions): boolean {
  const holds = <T>(all: readonly T[] | undefined, some: readonly T[] | undefined) =>
    all === undefined || (some?.every((one) => all.includes(one)) ?? false);
  return (
    holds(wide.accounts, narrow.accounts) &&
    holds(lower(wide.senders), lower(narrow.senders)) &&
    holds(wide.kinds, narrow.kinds) &&
    holds(wide.networks, narrow.networks) &&
    (wide.hours === undefined || JSON.stringify(wide.hours) === JSON.stringify(narrow.hours))
  );
}

const lower = (senders: readonly string[] | undefined) => senders?.map((sender) => sender.toLowerCase());
