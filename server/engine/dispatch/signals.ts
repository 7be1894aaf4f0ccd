import { inStatements } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { type Listener, listen } from '../../database/listener.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Lane } from '../messages/lanes.ts';

/*
 * Hints between processes, by PostgreSQL notifications: new work exists, or a shipment was cancelled, paused or
 * resumed. They only increase speed: without a hint, the scan every second finds the work.
 */

const DUE = 'carillon_due';
const CANCELLED = 'carillon_cancelled';
const CANCELLED_MESSAGES = 'carillon_cancelled_messages';
const PAUSED = 'carillon_paused';
const RESUMED = 'carillon_resumed';
const SUSPENDED = 'carillon_suspended';
// Minimum milliseconds between two notifications: a thousand requests per second need only one hint in this time.
const QUIET_MS = 20;
/** Maximum ids per notification, whose payload is limited to 8,000 characters. */
const MAX_NOTIFIED = 300;

/** Shipments whose waiting messages must not be sent. */
export interface Cancelled {
  readonly accountId: number;
  readonly shipmentIds: readonly number[];
}

/** Messages that must not be sent although their shipments continue. */
export interface CancelledMessages {
  readonly accountId: number;
  readonly messageIds: readonly number[];
}

/** A shipment that was paused or resumed. */
export interface Paused {
  readonly accountId: number;
  readonly shipmentId: number;
}

/** An account that has work in a lane. */
interface DueWork {
  readonly accountId: number;
  readonly lane: Lane;
}

/** Handlers of hints. */
interface Hints {
  /**
   * Another process (`sender`) accepted work of these accounts; undefined when they are too many for a notification.
   */
  due(work: readonly DueWork[] | undefined, sender: string): void;
  cancelled(shipments: Cancelled): void;
  cancelledMessages(messages: CancelledMessages): void;
  paused(shipment: Paused): void;
  resumed(shipment: Paused): void;
  /** Another process noticed that an account is suspended. */
  suspended(accountId: number): void;
}

export class Signals {
  readonly #sql: Sql;
  readonly #log: Logger;
  /** Distinguishes the notifications of this process from those of others. */
  readonly #sender: string;
  /** Accounts and lanes not announced to other processes yet. */
  readonly #due = new Set<string>();
  #quiet: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;

  /** @param sender this run of the process */
  constructor(sql: Sql, log: Logger, sender: string) {
    this.#sql = sql;
    this.#log = log;
    this.#sender = sender;
  }

  /**
   * Announces to other processes that an account has due work: immediately, or within QUIET_MS after the last
   * announcement.
   */
  announceDue(accountId: number, lane: Lane): void {
    this.#due.add(`${accountId} ${lane}`);
    if (!this.#quiet) this.#tellDue();
  }

  #tellDue(): void {
    this.#quiet = undefined;
    if (this.#due.size === 0) return;
    const work = this.#due.size > MAX_NOTIFIED ? [] : [...this.#due];
    this.#due.clear();
    this.#notify(DUE, [this.#sender, ...work].join());
    this.#quiet = setTimeout(() => this.#tellDue(), QUIET_MS).unref();
  }

  /** Announces to all processes that shipments were cancelled. */
  announceCancelled({ accountId, shipmentIds }: Cancelled): void {
    for (const some of inStatements(shipmentIds, MAX_NOTIFIED)) {
      this.#notify(CANCELLED, [accountId, ...some].join(' '));
    }
  }

  /** Announces to all processes that messages were cancelled. */
  announceCancelledMessages({ accountId, messageIds }: CancelledMessages): void {
    for (const some of inStatements(messageIds, MAX_NOTIFIED)) {
      this.#notify(CANCELLED_MESSAGES, [accountId, ...some].join(' '));
    }
  }

  /** Announces to all processes that a shipment was paused. */
  announcePaused({ accountId, shipmentId }: Paused): void {
    this.#notify(PAUSED, `${accountId} ${shipmentId}`);
  }

  /** Announces to all processes that a paused shipment was resumed. */
  announceResumed({ accountId, shipmentId }: Paused): void {
    this.#notify(RESUMED, `${accountId} ${shipmentId}`);
  }

  /** Announces to all processes that an account is suspended. */
  announceSuspended(accountId: number): void {
    this.#notify(SUSPENDED, String(accountId));
  }

  /** Calls the handlers for hints of every process, including this one. */
  async listen(hints: Hints): Promise<void> {
    this.#listener = await listen(this.#sql, {
      [DUE]: (payload) => {
        const [sender, ...work] = payload.split(',');
        if (sender !== this.#sender) hints.due(work.length > 0 ? work.map(readWork) : undefined, sender!);
      },
      [CANCELLED]: (payload) => hints.cancelled(readShipments(payload)),
      [CANCELLED_MESSAGES]: (payload) => {
        const { accountId, shipmentIds: messageIds } = readShipments(payload);
        hints.cancelledMessages({ accountId, messageIds });
      },
      [PAUSED]: (payload) => hints.paused(readShipment(payload)),
      [RESUMED]: (payload) => hints.resumed(readShipment(payload)),
      [SUSPENDED]: (payload) => hints.suspended(Number(payload)),
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#quiet);
    await this.#listener?.stop();
  }

  #notify(channel: string, payload: string): void {
    this.#sql.notify(channel, payload).catch((error: unknown) => {
      const level = isDatabaseTrouble(error) ? 'debug' : 'warn';
      this.#log[level]({ err: error, channel }, 'a hint to the other processes was not sent');
    });
  }
}

function readWork(text: string): DueWork {
  const [accountId, lane] = text.split(' ').map(Number);
  return { accountId: accountId!, lane: lane as Lane };
}

function readShipments(payload: string): Cancelled {
  const [accountId, ...shipmentIds] = payload.split(' ').map(Number);
  return { accountId: accountId!, shipmentIds };
}

function readShipment(payload: string): Paused {
  const [accountId, shipmentId] = payload.split(' ').map(Number);
  return { accountId: accountId!, shipmentId: shipmentId! };
}
