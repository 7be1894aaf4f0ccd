import { randomUUID } from 'node:crypto';
import { inStatements } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { type Listener, listen } from '../database/listener.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { Lane } from '../messages/lanes.ts';
import type { Logger } from '../observability/log.ts';

/*
 * Hints between processes, over the database's notifications: there is new work; a shipment was cancelled, paused, or goes on. Nothing
 * rests on them but speed: without one, work is found by the scan of every second.
 */

const DUE = 'carillon_due';
const CANCELLED = 'carillon_cancelled';
const CANCELLED_MESSAGES = 'carillon_cancelled_messages';
const PAUSED = 'carillon_paused';
const RESUMED = 'carillon_resumed';
const SUSPENDED = 'carillon_suspended';
// At most one notification in this time: a thousand requests a second need no more than one hint.
const QUIET_MS = 20;
/** Ids of one notification, which has room for 8,000 characters. */
const MAX_NOTIFIED = 300;

/** Shipments whose waiting messages are not to be sent. */
export interface Cancelled {
  readonly accountId: number;
  readonly shipmentIds: readonly number[];
}

/** Messages of shipments that go on, which are not to be sent. */
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

/** What is done about hints. */
interface Hints {
  /** Another process has accepted work; of which accounts, or undefined when they are too many to say. */
  due(work: readonly DueWork[] | undefined): void;
  cancelled(shipments: Cancelled): void;
  cancelledMessages(messages: CancelledMessages): void;
  paused(shipment: Paused): void;
  resumed(shipment: Paused): void;
  /** Another process has seen that an account is suspended. */
  suspended(accountId: number): void;
}

export class Signals {
  readonly #sql: Sql;
  readonly #log: Logger;
  /** Tells the notifications of this process from those of others. */
  readonly #sender = randomUUID();
  /** Accounts and lanes that the others are still to be told of. */
  readonly #due = new Set<string>();
  #quiet: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Says to the other processes that an account has work that is due: at once, or soon after what was just said. */
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

  /** Says to all processes that shipments were cancelled. */
  announceCancelled({ accountId, shipmentIds }: Cancelled): void {
    for (const some of inStatements(shipmentIds, MAX_NOTIFIED)) {
      this.#notify(CANCELLED, [accountId, ...some].join(' '));
    }
  }

  /** Says to all processes that messages were cancelled. */
  announceCancelledMessages({ accountId, messageIds }: CancelledMessages): void {
    for (const some of inStatements(messageIds, MAX_NOTIFIED)) {
      this.#notify(CANCELLED_MESSAGES, [accountId, ...some].join(' '));
    }
  }

  /** Says to all processes that a shipment is paused. */
  announcePaused({ accountId, shipmentId }: Paused): void {
    this.#notify(PAUSED, `${accountId} ${shipmentId}`);
  }

  /** Says to all processes that a paused shipment was resumed. */
  announceResumed({ accountId, shipmentId }: Paused): void {
    this.#notify(RESUMED, `${accountId} ${shipmentId}`);
  }

  /** Says to all processes that an account is suspended. */
  announceSuspended(accountId: number): void {
    this.#notify(SUSPENDED, String(accountId));
  }

  /** Calls back for hints of every process, this one's included. */
  async listen(hints: Hints): Promise<void> {
    this.#listener = await listen(this.#sql, {
      [DUE]: (payload) => {
        const [sender, ...work] = payload.split(',');
        if (sender !== this.#sender) hints.due(work.length > 0 ? work.map(readWork) : undefined);
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
