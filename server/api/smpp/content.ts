import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import { DltIdError, dltOfParameters } from '../../engine/carriers/dlt.ts';
import { type EncodedPart, joinParts } from '../../kit/text/charsets.ts';
import { findTlv } from '../../protocols/smpp/codec.ts';
import { tag } from '../../protocols/smpp/commands.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';
import { messageClassOf, readIncoming } from '../../protocols/smpp/incoming.ts';
import type { DataPdu, MessagePdu, Tlv } from '../../protocols/smpp/pdu.ts';
import { SmppRefusal } from './refusals.ts';

/** A part of a long message. */
export interface SubmittedPart extends EncodedPart {
  readonly reference: number;
  readonly total: number;
}

/** Content of a submit_sm or data_sm: a text, or a part of one. */
export type SubmittedContent =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'part'; readonly part: SubmittedPart };

/** Tags of the parameters that vendors define (SMPP 3.4, 5.3.2). */
const vendorTags = { first: 0x1400, last: 0x3fff } as const;
/** Maximum octets of their values, of a message. Templates of Indian operators need some 60. */
const MAX_PARAMETERS = 1_024;

/** Some programs begin UCS-2 with it. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads the text of a message or the place of a part. Throws SmppRefusal for data that is no text, for ports of an
 * application, and for a predefined message.
 */
export function readContent(pdu: MessagePdu | DataPdu, defaultAlphabet: 'gsm' | 'latin1'): SubmittedContent {
  if ('defaultMessageId' in pdu && pdu.defaultMessageId !== 0)
    throw new SmppRefusal(errorCode.ESME_RINVDFTMSGID, 'there are no predefined messages');
  if (
    'shortMessage' in pdu &&
    pdu.shortMessage.length > 0 &&
    findTlv(pdu.tlvs, tag.messagePayload) !== undefined
  )
    throw new SmppRefusal(errorCode.ESME_ROPTPARNOTALLWD, 'short_message and message_payload at once');
  const incoming = readIncoming(pdu, defaultAlphabet);
  if (incoming.kind === 'part') {
    const { from: _from, to: _to, ports, ...part } = incoming.part;
    if (ports) throw withPorts();
    if (part.charset === 'binary') throw notText();
    return { kind: 'part', part };
  }
  const { text, binary, ports } = incoming.message;
  if (ports) throw withPorts();
  if (binary) throw notText();
  return { kind: 'whole', text: cleaned(text) };
}

/**
 * Returns the options of a message for the network; undefined without any. Throws SmppRefusal for parameters that are
 * too long, and for invalid DLT ids.
 *
 * @param sendKeyTag tag of the parameter with the send key, which is not passed on
 */
export function readOptions(
  { dataCoding, tlvs }: Pick<MessagePdu, 'dataCoding' | 'tlvs'>,
  sendKeyTag: number | undefined,
): CarrierOptions | undefined {
  const messageClass = messageClassOf(dataCoding);
  const own = tlvs.filter((tlv) => tlv.tag >= vendorTags.first && tlv.tag <= vendorTags.last);
  const passed = own.filter((tlv) => tlv.tag !== sendKeyTag);
  if (passed.reduce((sum, { value }) => sum + value.length, 0) > MAX_PARAMETERS)
    throw new SmppRefusal(errorCode.ESME_RINVPARLEN, 'parameters that are too long');
  if (messageClass === undefined && passed.length === 0) return undefined;
  const parameters = passed.map(({ tag: of, value }) => ({
    tag: of,
    value: Buffer.from(value).toString('hex'),
  }));
  const dlt = dltOf(passed);
  return {
    ...(messageClass !== undefined && { messageClass }),
    ...(parameters.length > 0 && { parameters }),
    ...(dlt && { dlt }),
  };
}

/** The parameters with DLT ids are passed on too, in the form in which the client wrote them. */
function dltOf(parameters: readonly Tlv[]): CarrierOptions['dlt'] {
  try {
    return dltOfParameters(parameters);
  } catch (error) {
    if (error instanceof DltIdError) throw new SmppRefusal(errorCode.ESME_RINVOPTPARAMVAL, error.message);
    throw error;
  }
}

/** Joins all parts of a message. Throws SmppRefusal for parts that are no text. */
export function joinedText(parts: readonly EncodedPart[]): string {
  const { text, binary } = joinParts(parts);
  if (binary) throw notText();
  return cleaned(text);
}

/** Returns a text as it is stored: without a byte order mark, and without NUL, which PostgreSQL does not allow. */
const cleaned = (text: string): string =>
  (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).toWellFormed().replaceAll('\0', '');

const notText = () => new SmppRefusal(errorCode.ESME_RINVDCS, 'data_coding of data, which cannot be sent');
const withPorts = () => new SmppRefusal(errorCode.ESME_RINVESMCLASS, 'application ports cannot be sent');
