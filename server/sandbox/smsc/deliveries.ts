import { command, esmClass, tag } from '../../protocols/smpp/commands.ts';
import type { Part } from '../../protocols/smpp/outgoing.ts';
import type { MessagePdu, Tlv } from '../../protocols/smpp/pdu.ts';
import type { SandboxBehaviour } from './options.ts';

/** A delivery to an ESME: a receipt, or a message part from a phone. */
export type Delivery = ReceiptDelivery | PhoneDelivery;

interface ReceiptDelivery {
  readonly kind: 'receipt';
  /** Id as spelled in the receipt. */
  readonly id: string;
  /** Source and destination of the message; the receipt has them swapped. */
  readonly from: string;
  readonly to: string;
  readonly stat: string;
  readonly error: string;
  readonly state: number;
  readonly submittedAt: number;
  readonly doneAt: number;
}

interface PhoneDelivery {
  readonly kind: 'phone';
  readonly from: string;
  readonly to: string;
  readonly part: Part;
}

const noTlvs: readonly Tlv[] = [];

/** Returns the deliver_sm of a delivery. */
export function deliveryPdu(
  delivery: Delivery,
  sequence: number,
  form: SandboxBehaviour['receiptForm'],
): MessagePdu {
  const isReceipt = delivery.kind === 'receipt';
  const hasText = isReceipt && form !== 'tlv';
  return {
    command: command.deliverSm,
    status: 0,
    sequence,
    serviceType: '',
    sourceTon: 1,
    sourceNpi: 1,
    source: isReceipt ? delivery.to : delivery.from,
    destinationTon: 1,
    destinationNpi: 1,
    destination: isReceipt ? delivery.from : delivery.to,
    esmClass: isReceipt ? esmClass.receipt : delivery.part.esmClass,
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    dataCoding: isReceipt ? 0 : delivery.part.dataCoding,
    defaultMessageId: 0,
    shortMessage: !isReceipt
      ? delivery.part.shortMessage
      : Buffer.from(hasText ? receiptText(delivery) : '', 'latin1'),
    tlvs: !isReceipt ? delivery.part.tlvs : form === 'text' ? noTlvs : receiptTlvs(delivery),
  };
}

/** Returns the receipt text (SMPP 3.4, appendix B). */
function receiptText(receipt: ReceiptDelivery): string {
  const delivered = receipt.stat === 'DELIVRD' ? '001' : '000';
  return (
    `id:${receipt.id} sub:001 dlvrd:${delivered} submit date:${minute(receipt.submittedAt)} ` +
    `done date:${minute(receipt.doneAt)} stat:${receipt.stat} err:${receipt.error} text:`
  );
}

function receiptTlvs(receipt: ReceiptDelivery): Tlv[] {
  const error = Number(receipt.error);
  return [
    { tag: tag.receiptedMessageId, value: Buffer.from(`${receipt.id}\0`, 'latin1') },
    { tag: tag.messageState, value: Buffer.from([receipt.state]) },
    { tag: tag.networkErrorCode, value: Buffer.from([3, error >>> 8, error & 0xff]) },
  ];
}

let lastMinute = { number: -1, text: '' };

/** Returns YYMMDDhhmm in UTC. */
function minute(milliseconds: number): string {
  const number = Math.floor(milliseconds / 60_000);
  if (number !== lastMinute.number) {
    const iso = new Date(milliseconds).toISOString();
    lastMinute = { number, text: iso.replace(/\D/g, '').slice(2, 12) };
  }
  return lastMinute.text;
}
