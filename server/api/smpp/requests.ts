import type { Sql } from '../../database/connection.ts';
import type { Canceller } from '../../engine/messages/cancel.ts';
import { status as statuses } from '../../kit/statuses.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';
import type {
  CancelPdu,
  DataPdu,
  MessagePdu,
  QueryPdu,
  ReplacePdu,
  SubmitMultiPdu,
} from '../../protocols/smpp/pdu.ts';
import { writeSmppTime } from '../../protocols/smpp/times.ts';
import type { SmppClient } from './clients.ts';
import type { SmppMessages } from './messages.ts';
import { stateOfStatus } from './receipt-pdu.ts';
import { statusOf } from './refusals.ts';
import type { Replacer } from './replacer.ts';
import type { Submitter } from './submitter.ts';

interface RequestsDeps {
  readonly sql: Sql;
  readonly submitter: Submitter;
  readonly canceller: Pick<Canceller, 'byId'>;
  readonly messages: SmppMessages;
  readonly replacer: Replacer;
}

/** Field of every answer. */
export interface Answer {
  /** command_status. */
  readonly status: number;
}

/** State of a message, as query_sm_resp has it. */
interface Queried {
  readonly messageId: string;
  readonly finalDate: string;
  readonly messageState: number;
  readonly errorCode: number;
}

/** Requests of clients about messages. */
export class Requests {
  readonly #deps: RequestsDeps;

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /** Accepts a message. Resolves after the commit, with the answer. Never rejects. */
  submit(client: SmppClient, pdu: MessagePdu | DataPdu): ReturnType<Submitter['submit']> {
    return this.#deps.submitter.submit(client, pdu);
  }

  /** Accepts a message to several recipients. Never rejects. */
  submitMulti(client: SmppClient, pdu: SubmitMultiPdu): ReturnType<Submitter['submitMulti']> {
    return this.#deps.submitter.submitMulti(client, pdu);
  }

  /**
   * Returns the state of a message of the account. Parts are found until their receipts are stored.
   */
  async query({ accountId }: SmppClient, { messageId }: QueryPdu): Promise<Queried & Answer> {
    const refused = (status: number) => ({ ...notQueried(messageId), status });
    const id = readId(messageId);
    if (id === undefined) return refused(errorCode.ESME_RINVMSGID);
    const shipmentId = await this.#shipmentOf(accountId, id);
    if (shipmentId === undefined) return refused(errorCode.ESME_RQUERYFAIL);
    const message = shipmentId === null ? waiting : await this.#messageOf(accountId, shipmentId);
    if (!message) return refused(errorCode.ESME_RQUERYFAIL);
    const { state, error } = stateOfStatus(message.final_at === null ? statuses.sent : message.status);
    return {
      status: 0,
      messageId: String(id),
      finalDate: message.final_at === null ? '' : writeSmppTime(message.final_at),
      messageState: state,
      // One octet: codes above do not fit.
      errorCode: Math.min(error, 0xff),
    };
  }

  /** Cancels a message that waits. */
  async cancel({ accountId }: SmppClient, { messageId }: CancelPdu): Promise<Answer> {
    const id = readId(messageId);
    if (id === undefined) return { status: errorCode.ESME_RINVMSGID };
    const shipmentId = await this.#shipmentOf(accountId, id);
    if (typeof shipmentId !== 'number') return { status: errorCode.ESME_RCANCELFAIL };
    try {
      await this.#deps.canceller.byId(accountId, shipmentId);
    } catch (error) {
      if (statusOf(error) === undefined) throw error;
      return { status: errorCode.ESME_RCANCELFAIL };
    }
    await this.#deps.messages.end(accountId, [shipmentId]);
    return { status: 0 };
  }

  /** Replaces the text and times of a message that waits. */
  async replace(client: SmppClient, pdu: ReplacePdu): Promise<Answer> {
    const id = readId(pdu.messageId);
    if (id === undefined) return { status: errorCode.ESME_RINVMSGID };
    const shipmentId = await this.#shipmentOf(client.accountId, id);
    if (typeof shipmentId !== 'number') return { status: errorCode.ESME_RREPLACEFAIL };
    return { status: await this.#deps.replacer.replace(client, id, shipmentId, pdu) };
  }

  /** Returns the shipment of an id that a client got: null while parts are missing, undefined for an unknown id. */
  async #shipmentOf(accountId: number, id: number): Promise<number | null | undefined> {
    const { sql } = this.#deps;
    const [part] = await sql<{ shipment_id: number | null }[]>`
      SELECT shipment_id FROM smpp_messages WHERE account_id = ${accountId} AND id = ${id} LIMIT 1`;
    if (part) return part.shipment_id;
    const [replaced] = await sql<{ shipment_id: number }[]>`
      SELECT shipment_id FROM smpp_replaced WHERE account_id = ${accountId} AND id = ${id}`;
    if (replaced) return replaced.shipment_id;
    const [shipment] = await sql`SELECT FROM shipments WHERE account_id = ${accountId} AND id = ${id}`;
    return shipment ? id : undefined;
  }

  async #messageOf(accountId: number, shipmentId: number) {
    const [message] = await this.#deps.sql<{ status: number; final_at: number | null }[]>`
      SELECT m.status, m.final_at FROM shipments s
      JOIN messages m ON m.account_id = s.account_id AND m.id >= s.first_id AND m.id <= s.last_id
        AND m.shipment_id = s.id
      WHERE s.account_id = ${accountId} AND s.id = ${shipmentId} AND m.account_id = ${accountId}
      ORDER BY m.id LIMIT 1`;
    return message;
  }
}

/** Returns the state in an answer that refuses query_sm. */
export const notQueried = (messageId: string): Queried => ({
  messageId,
  finalDate: '',
  messageState: 0,
  errorCode: 0,
});

/** A message whose parts are not all there. */
const waiting = { status: statuses.sent, final_at: null };

/** Reads an id that a client got; undefined for a text that cannot be one. */
function readId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
