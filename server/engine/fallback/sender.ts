import type { TransactionSql } from '../../database/connection.ts';
import type { OwnHours, Transactional } from '../../modules/sending-policy/policy.ts';

/** Fields of a requested fallback; a channel reads its own. Refusals name these fields. */
export interface FallbackInput {
  /** Text of an SMS or a call; undefined: the text of the send. */
  readonly text?: string | undefined;
  /** Sender of an SMS, or business number. */
  readonly source?: string | undefined;
  readonly templateId?: string | undefined;
  readonly headerLink?: string | undefined;
  readonly voice?: string | undefined;
  readonly rate?: number | undefined;
  readonly repeat?: number | undefined;
}

/** A send with a fallback, as far as its request says it. */
export interface FirstSend {
  readonly accountId: number;
  readonly source: string;
  readonly message: string;
  /** Whether the text contains fields of contacts, so that the fallback needs another text. */
  readonly dynamic: boolean;
  /** How recipients of its SMS can unsubscribe. */
  readonly removal: 'reply' | 'link' | null;
}

/** A message that another channel replaces. */
export interface Replaced {
  readonly id: number;
  /** E.164 digits. */
  readonly phone: string;
  readonly externalId: string | null;
}

/** Terms of the send that hold for its fallback, too. They are stored with its content. */
export interface FallbackTerms {
  readonly international: boolean;
  readonly rule: OwnHours | Transactional | null;
}

/** Messages to send by another channel, in one shipment. */
export interface FallbackShipment<Content = unknown> extends FallbackTerms {
  readonly accountId: number;
  /** The shipment whose messages are replaced. */
  readonly fallbackOf: number;
  readonly content: Content;
  readonly messages: readonly Replaced[];
  /** Whether the rules for campaigns apply, as they did to the replaced messages. */
  readonly isCampaign: boolean;
  readonly campaignName: string | null;
}

/** Called in the transaction that stores a shipment, before that. It throws to store nothing. */
export type Within = (tx: TransactionSql, shipmentId: number) => Promise<void>;

/** Sends fallbacks by one channel, by the same rules as its other sends. */
export interface FallbackSender<Content = unknown> {
  /**
   * Checks the fields of a channel, and returns what is stored until messages fail. Throws Refusal with a field of
   * `FallbackInput`.
   */
  read(given: FallbackInput, send: FirstSend): Promise<Content>;
  /** Sends to phones in one shipment, whose transaction calls `within`. Throws Refusal; then nothing is stored. */
  send(shipment: FallbackShipment<Content>, within: Within): Promise<void>;
}
