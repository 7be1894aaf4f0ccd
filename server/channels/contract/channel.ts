import type { AccessTable } from '../../api/access/rules.ts';
import type { TableSet } from '../../database/define-tables.ts';
import type { Config } from '../../kit/config.ts';
import type { SettingTable } from '../../kit/setting.ts';
import type { Failure, ReasonTable } from './failures.ts';

/*
 * What a channel is to the other modules. A channel is a folder in server/channels and a line in its index.ts; the rest of
 * the service knows this file, and no channel by its name (docs/decisions/0008-channels-as-modules.md).
 *
 * A `Channel` is what can be said about a channel without a running service. What it does in one is in channels/module.ts.
 */

/** How the connectors of a channel are named, and how its messages find one. */
interface ConnectorNames {
  /** What the names of its routes begin with; '' for routes that the operator names. */
  readonly prefix: string;
  /**
   * - `own`: each route is one connector of the same name, like a business number.
   * - `by-destination`: a route names the connectors that messages to its prefixes go over.
   */
  readonly routing: 'own' | 'by-destination';
  /**
   * Whether the ids that the carrier gave are kept after the end of a message, since the recipient may still refer to it.
   */
  readonly keepsIds: boolean;
  /**
   * How long a batch rests, in milliseconds, that the only process of an embedded database held when it was killed, from the
   * time on that the new one can be reached: the network tells meanwhile which of its messages it took. 0: the batch is
   * due at once.
   */
  readonly settleMs: number;
}

/** What is stored of what a message says. */
interface StoredPayload {
  /** `messages.payload`; null: the payload of its shipment. */
  readonly own: string | null;
  /** `shipments.payload`: what all messages of the shipment say. */
  readonly shared: string | null;
  /** `shipments.call`: what is read aloud. */
  readonly call: object | null;
}

/** Writes and reads what a message says. */
export interface PayloadCodec<Payload> {
  /** The text that is stored in `messages.payload` or `shipments.payload`. */
  encode(payload: Payload): string;
  /** What a connector gets. Throws for what `encode` did not write. */
  decode(stored: StoredPayload): Payload;
  /** What people read of a message, in lists and on its timeline; null: nothing of its own. `stored` is the text. */
  summary(stored: string | null): string | null;
  /** `messages.payload` of a message whose text is removed, where something else stands in it; left out: null does. */
  withoutText?(stored: string): string;
}

/** Why messages of a channel fail, beside what is common to all channels (failures.ts). */
export interface FailureReasons {
  /** Reasons of its own. */
  readonly reasons: ReasonTable;
  /** The key of the reason of a failure. `known` is what the status says by itself on any channel. */
  keyOf(failure: Failure, known: string): string;
}

/** A channel, as far as it can be described without a running service. */
export interface Channel<Payload = unknown> {
  /** `channel` of its messages, shipments and batches. Never given to another channel. */
  readonly id: number;
  /** In APIs, and the key of its prices in the price list. */
  readonly name: string;
  readonly connectors: ConnectorNames;
  /** Its tables (database/define-tables.ts). */
  readonly tables?: TableSet;
  /** The folder of its migrations, numbered with those of the service (database/migrations/). With a slash at the end. */
  readonly migrations?: URL;
  /** Its settings, beside those of the service (config.ts). */
  readonly settings?: SettingTable;
  /** What a message costs where the price list has no price, in credits, like `0.25`. */
  defaultPrice(config: Config): string;
  readonly codec: PayloadCodec<Payload>;
  readonly failures: FailureReasons;
  /** Messages in one batch, at most. */
  readonly batchSize: number;
  /** Access rules of its routes outside /v1, by method and path. A route without a rule keeps the service from starting. */
  readonly access?: AccessTable;
  /**
   * The file that opens it in a service: it exports `open`, an `OpenChannel` (module.ts). It is loaded when the service opens
   * its channels, and imported by nobody, since it imports what stands above the list of channels.
   */
  readonly file: URL;
}
