import { status } from '../../kit/statuses.ts';
import { command, esmClass, messageStates, tag } from '../../protocols/smpp/commands.ts';
import { defaultPartSettings, type Part, partsOf, sourceAddress } from '../../protocols/smpp/outgoing.ts';
import type { Addresses, MessagePdu, Tlv } from '../../protocols/smpp/pdu.ts';

/** A receipt that waits for a receiver, as it is stored. Addresses are those of the message. */
export interface StoredReceipt extends Omit<Addresses, 'serviceType'> {
  readonly kind: 'receipt';
  /** Id that the client got for the message or part. */
  readonly id: string;
  /** A delivery status of server/kit/statuses.ts. */
  readonly status: number;
  /** Times of the submission and of the final status, in milliseconds since the epoch. */
  readonly submittedAt: number;
  readonly doneAt: number;
}

/** An incoming message that waits for a receiver, as it is stored. */
export interface StoredIncoming {
  readonly kind: 'incoming';
  /** E.164 digits. */
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export type StoredDelivery = StoredReceipt | StoredIncoming;

const stateOf = new Map<string, number>(messageStates.map(([state, name]) => [name, state]));

type Stat = (typeof messageStates)[number][1];

/** `stat` by delivery status; UNDELIV for all others. */
const stats: Readonly<Record<number, Stat>> = {
  [status.sent]: 'ENROUTE',
  [status.delivered]: 'DELIVRD',
  [status.timeout]: 'EXPIRED',
  [status.expired]: 'EXPIRED',
  [status.deleted]: 'DELETED',
  [status.unknown]: 'UNKNOWN',
  [status.noCredit]: 'REJECTD',
  [status.notAtThisHour]: 'REJECTD',
  [status.notLegal]: 'REJECTD',
  [status.rejected]: 'REJECTD',
  [status.blockedOnRequest]: 'REJECTD',
  [status.noPermission]: 'REJECTD',
};

/** Returns `stat`, `message_state` and the error code of a delivery status. */
export function stateOfStatus(value: number): {
  readonly stat: Stat;
  readonly state: number;
  readonly error: number;
} {
  const stat = stats[value] ?? 'UNDELIV';
  const error = value === status.delivered || value === status.sent ? 0 : value;
  return { stat, state: stateOf.get(stat)!, error };
}

/** network_type of network_error_code for codes that no network gave (SMPP 5.0, 4.8.4.42). */
const MESSAGE_CENTRE_SPECIFIC = 8;

/** Formats a time of a receipt: `YYMMDDhhmm` in UTC (SMPP 3.4, appendix B). */
const minuteOf = (time: number) => new Date(time).toISOString().replace(/\D/g, '').slice(2, 12);

const message = {
  command: command.deliverSm,
  status: 0,
  sequence: 0,
  serviceType: '',
  protocolId: 0,
  priority: 0,
  scheduleTime: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  defaultMessageId: 0,
} as const;

/**
 * Returns the deliver_sm of a receipt. The text has all eight fields, as some programs read it by one pattern; the text
 * of the message is not repeated.
 */
function receiptPdu(receipt: StoredReceipt): MessagePdu {
  const { id, submittedAt, doneAt } = receipt;
  const { stat, state, error } = stateOfStatus(receipt.status);
  const isDelivered = receipt.status === status.delivered;
  const text = `id:${id} sub:001 dlvrd:${isDelivered ? '001' : '000'} submit date:${minuteOf(submittedAt)} done date:${minuteOf(doneAt)} stat:${stat} err:${String(error).padStart(3, '0')} text:`;
  return {
    ...message,
    sourceTon: receipt.destinationTon,
    sourceNpi: receipt.destinationNpi,
    source: receipt.destination,
    destinationTon: receipt.sourceTon,
    destinationNpi: receipt.sourceNpi,
    destination: receipt.source,
    esmClass: esmClass.receipt,
    dataCoding: 0,
    shortMessage: Buffer.from(text, 'latin1'),
    tlvs: [
      { tag: tag.receiptedMessageId, value: Buffer.from(`${id}\0`, 'latin1') },
      { tag: tag.messageState, value: Buffer.of(state) },
      { tag: tag.networkErrorCode, value: Buffer.of(MESSAGE_CENTRE_SPECIFIC, error >> 8, error & 0xff) },
    ],
  };
}

const guessed = { sourceTon: undefined, sourceNpi: undefined } as const;

/** Returns the type and plan of a number or a name. */
function addressOf(address: string) {
  return sourceAddress(address, guessed);
}

function incomingPdus(
  deliveryId: number,
  { from, to, text }: StoredIncoming,
  defaultAlphabet: 'gsm' | 'latin1',
): MessagePdu[] {
  const settings = { ...defaultPartSettings, defaultAlphabet };
  const parts: readonly Part[] = partsOf({ id: deliveryId, payload: text }, settings) ?? [];
  const [source, destination] = [addressOf(from), addressOf(to)];
  const noTlvs: readonly Tlv[] = [];
  return parts.map(({ esmClass: partClass, dataCoding, shortMessage }) => ({
    ...message,
    sourceTon: source.ton,
    sourceNpi: source.npi,
    source: from,
    destinationTon: destination.ton,
    destinationNpi: destination.npi,
    destination: to,
    esmClass: partClass,
    dataCoding,
    shortMessage,
    tlvs: noTlvs,
  }));
}

/** Returns the deliver_sm of a delivery, several for a long incoming message. Their sequence numbers are 0. */
export function deliveryPdus(
  id: number,
  content: StoredDelivery,
  defaultAlphabet: 'gsm' | 'latin1',
): MessagePdu[] {
  return content.kind === 'receipt' ? [receiptPdu(content)] : incomingPdus(id, content, defaultAlphabet);
}
