import type { Sql, TransactionSql } from '../../database/connection.ts';
import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import type { Canceller } from '../../engine/messages/cancel.ts';
import { shipmentStates } from '../../engine/messages/shipment-states.ts';
import { Refusal } from '../../kit/errors.ts';
import { isLatin1Text } from '../../kit/text/charsets.ts';
import { countSeptets } from '../../kit/text/gsm0338.ts';
import { command, textCoding } from '../../protocols/smpp/commands.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';
import type { MessagePdu, ReplacePdu } from '../../protocols/smpp/pdu.ts';
import { writeSmppTime } from '../../protocols/smpp/times.ts';
import type { SmppClient } from './clients.ts';
import { SmppRefusal } from './refusals.ts';
import type { Submitter } from './submitter.ts';

interface ReplacerDeps {
  readonly sql: Sql;
  readonly submitter: Pick<Submitter, 'replace'>;
  readonly canceller: Pick<Canceller, 'within'>;
}

/** The message that is to be replaced. */
interface WaitingMessage {
  readonly recipient: string;
  readonly source: string;
  readonly text: string;
  readonly due_at: number;
  readonly valid_until: number;
  readonly options: CarrierOptions | null;
}

/** Addresses as the client submitted them, stored if it wants a receipt. */
interface SubmittedAddresses {
  readonly source: string;
  readonly source_ton: number;
  readonly source_npi: number;
  readonly destination: string;
  readonly destination_ton: number;
  readonly destination_npi: number;
}

const INTERNATIONAL_TON = 1;
const ISDN_NPI = 1;

/**
 * Replaces messages that wait for their time: the message is cancelled, and the new one is accepted with every check, price
 * and policy, in one transaction. The client knows it by the same id.
 */
export class Replacer {
  readonly #deps: ReplacerDeps;

  constructor(deps: ReplacerDeps) {
    this.#deps = deps;
  }

  /**
   * Replaces the message with this id, whose present shipment is `shipmentId`. Resolves with the command_status of the
   * answer.
   */
  async replace(client: SmppClient, id: number, shipmentId: number, pdu: ReplacePdu): Promise<number> {
    const { accountId } = client;
    const old = await this.#waiting(accountId, shipmentId);
    const rows = await this.#submitted(accountId, shipmentId);
    // A receipt for each part of a message, or for each of several recipients.
    if (!old || rows.length > 1) return errorCode.ESME_RREPLACEFAIL;
    const [submitted] = rows;
    if (pdu.source !== '' && pdu.source !== (submitted?.source ?? old.source))
      return errorCode.ESME_RREPLACEFAIL;
    return this.#deps.submitter.replace(client, messageOf(pdu, old, submitted, client.defaultAlphabet), {
      id,
      options: old.options ?? undefined,
      within: (tx, newShipmentId) => this.#takeBack(tx, accountId, { id, shipmentId, newShipmentId }),
    });
  }

  /** Returns the only message of a shipment that has not begun. */
  async #waiting(accountId: number, shipmentId: number): Promise<WaitingMessage | undefined> {
    const rows = await this.#deps.sql<WaitingMessage[]>`
      SELECT m.recipient, m.source, coalesce(m.payload, s.payload) AS text, s.due_at, s.valid_until,
        s.carrier_options AS options FROM shipments s
      JOIN messages m ON m.account_id = s.account_id AND m.id >= s.first_id AND m.id <= s.last_id
        AND m.shipment_id = s.id
      WHERE s.account_id = ${accountId} AND s.id = ${shipmentId} AND s.state = ${shipmentStates.scheduled}
        AND m.account_id = ${accountId} LIMIT 2`;
    return rows.length === 1 ? rows[0] : undefined;
  }

  async #submitted(accountId: number, shipmentId: number): Promise<readonly SubmittedAddresses[]> {
    return this.#deps.sql<SubmittedAddresses[]>`
      SELECT source, source_ton, source_npi, destination, destination_ton, destination_npi FROM smpp_messages
      WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} LIMIT 2`;
  }

  async #takeBack(
    tx: TransactionSql,
    accountId: number,
    {
      id,
      shipmentId,
      newShipmentId,
    }: { readonly id: number; readonly shipmentId: number; readonly newShipmentId: number },
  ): Promise<void> {
    const { canceller } = this.#deps;
    try {
      await canceller.within(tx, accountId, shipmentId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new SmppRefusal(errorCode.ESME_RREPLACEFAIL, error.message);
    }
    // The receipt for its id is that of the new message.
    await tx`DELETE FROM smpp_messages WHERE account_id = ${accountId} AND shipment_id = ${shipmentId}`;
    await tx`
      INSERT INTO smpp_replaced (account_id, id, shipment_id)
      SELECT account_id, ${id}::bigint, ${newShipmentId}::bigint FROM wallets WHERE account_id = ${accountId}
      ON CONFLICT ON CONSTRAINT smpp_replaced_pkey DO UPDATE SET shipment_id = excluded.shipment_id`;
  }
}

/** Returns the new message as if it had been submitted: what replace_sm does not have is that of the old one. */
function messageOf(
  pdu: ReplacePdu,
  old: WaitingMessage,
  submitted: SubmittedAddresses | undefined,
  defaultAlphabet: SmppClient['defaultAlphabet'],
): MessagePdu {
  return {
    command: command.submitSm,
    status: 0,
    sequence: pdu.sequence,
    serviceType: '',
    sourceTon: submitted?.source_ton ?? pdu.sourceTon,
    sourceNpi: submitted?.source_npi ?? pdu.sourceNpi,
    source: submitted?.source ?? old.source,
    destinationTon: submitted?.destination_ton ?? INTERNATIONAL_TON,
    destinationNpi: submitted?.destination_npi ?? ISDN_NPI,
    destination: submitted?.destination ?? old.recipient,
    esmClass: 0,
    protocolId: 0,
    priority: 0,
    scheduleTime: pdu.scheduleTime === '' ? writeSmppTime(old.due_at) : pdu.scheduleTime,
    validityPeriod: pdu.validityPeriod === '' ? writeSmppTime(old.valid_until) : pdu.validityPeriod,
    registeredDelivery: pdu.registeredDelivery,
    replaceIfPresent: 0,
    dataCoding: codingOf(old.text, defaultAlphabet),
    defaultMessageId: pdu.defaultMessageId,
    shortMessage: pdu.shortMessage,
    tlvs: pdu.tlvs,
  };
}

/** Returns the data_coding of the new text, which replace_sm does not have: that which the text before needed. */
function codingOf(text: string, defaultAlphabet: SmppClient['defaultAlphabet']): number {
  const isDefault = defaultAlphabet === 'latin1' ? isLatin1Text(text) : countSeptets(text) >= 0;
  return isDefault ? textCoding.default : textCoding.ucs2;
}
