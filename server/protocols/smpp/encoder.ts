import { command, destinationFlag, headerLength, maxCommandLength } from './commands.ts';
import type {
  Addresses,
  MessagePdu,
  MessageRespPdu,
  Pdu,
  SubmitMultiPdu,
  SubmitMultiRespPdu,
  Tlv,
} from './pdu.ts';

/** Maximum octets of the fixed fields of any body, including NULs. */
const fixedFields = 64;

/** Returns an upper bound of the PDU's octets, for reserving space. Cheap. */
export function sizeBound(pdu: Pdu): number {
  let size = headerLength + fixedFields;
  switch (pdu.command) {
    case command.submitSm:
    case command.deliverSm:
      size += pdu.scheduleTime.length + pdu.validityPeriod.length + pdu.shortMessage.length;
      size += pdu.serviceType.length + pdu.source.length + pdu.destination.length;
      break;
    case command.submitMulti:
      size += pdu.scheduleTime.length + pdu.validityPeriod.length + pdu.shortMessage.length;
      size += pdu.serviceType.length + pdu.source.length;
      for (const to of pdu.destinations) size += 4 + ('list' in to ? to.list : to.address).length;
      break;
    case command.submitMultiResp:
      size += pdu.messageId.length;
      for (const { address } of pdu.refused) size += 7 + address.length;
      break;
    case command.submitSmResp:
    case command.deliverSmResp:
    case command.dataSmResp:
      size += pdu.messageId.length;
      break;
    case command.dataSm:
      size += pdu.serviceType.length + pdu.source.length + pdu.destination.length;
      break;
    case command.bindReceiver:
    case command.bindTransmitter:
    case command.bindTransceiver:
      size += pdu.systemId.length + pdu.password.length + pdu.systemType.length + pdu.addressRange.length;
      break;
    case command.bindReceiverResp:
    case command.bindTransmitterResp:
    case command.bindTransceiverResp:
      size += pdu.systemId.length;
      break;
    case command.querySm:
      size += pdu.messageId.length + pdu.source.length;
      break;
    case command.cancelSm:
      size += pdu.serviceType.length + pdu.messageId.length + pdu.source.length + pdu.destination.length;
      break;
    case command.replaceSm:
      size += pdu.messageId.length + pdu.source.length;
      size += pdu.scheduleTime.length + pdu.validityPeriod.length + pdu.shortMessage.length;
      break;
    case command.querySmResp:
      size += pdu.messageId.length + pdu.finalDate.length;
      break;
    default:
      return size;
  }
  if ('tlvs' in pdu) for (const tlv of pdu.tlvs) size += 4 + tlv.value.length;
  return size;
}

/**
 * Encodes the PDU to new octets.
 *
 * @throws RangeError when a field is longer than its length field can express
 */
export function encodePdu(pdu: Pdu): Buffer {
  const buffer = Buffer.allocUnsafe(sizeBound(pdu));
  return buffer.subarray(0, writePdu(pdu, buffer, 0));
}

/**
 * Writes the PDU at `offset`, where `sizeBound(pdu)` octets are free, and returns the offset after it. Strings are
 * written as Latin-1; a NUL inside one ends it, as it does for the reader.
 *
 * @throws RangeError like `encodePdu`
 */
export function writePdu(pdu: Pdu, buffer: Buffer, offset: number): number {
  const end = writeBody(pdu, buffer, offset + headerLength);
  if (end - offset > maxCommandLength) throw new RangeError('PDU over 64 KiB');
  writeHeader(buffer, offset, end - offset, pdu.command, pdu.status, pdu.sequence);
  return end;
}

function writeHeader(
  buffer: Buffer,
  offset: number,
  length: number,
  id: number,
  status: number,
  sequence: number,
): void {
  write32(buffer, offset, length);
  write32(buffer, offset + 4, id);
  write32(buffer, offset + 8, status);
  write32(buffer, offset + 12, sequence);
}

function writeBody(pdu: Pdu, buffer: Buffer, at: number): number {
  switch (pdu.command) {
    case command.submitSm:
    case command.deliverSm:
      return writeMessage(pdu, buffer, at);
    case command.submitMulti:
      return writeMulti(pdu, buffer, at);
    case command.submitMultiResp:
      return writeMultiResp(pdu, buffer, at);
    case command.submitSmResp:
    case command.deliverSmResp:
    case command.dataSmResp:
      return writeMessageResp(pdu, buffer, at);
    case command.genericNack:
    case command.unbind:
    case command.unbindResp:
    case command.enquireLink:
    case command.enquireLinkResp:
    case command.cancelSmResp:
    case command.replaceSmResp:
      return at;
    case command.bindReceiver:
    case command.bindTransmitter:
    case command.bindTransceiver: {
      let next = writeCString(pdu.systemId, buffer, at);
      next = writeCString(pdu.password, buffer, next);
      next = writeCString(pdu.systemType, buffer, next);
      buffer[next++] = pdu.interfaceVersion;
      buffer[next++] = pdu.addressTon;
      buffer[next++] = pdu.addressNpi;
      next = writeCString(pdu.addressRange, buffer, next);
      return writeTlvs(pdu.tlvs, buffer, next);
    }
    case command.bindReceiverResp:
    case command.bindTransmitterResp:
    case command.bindTransceiverResp:
      return writeTlvs(pdu.tlvs, buffer, writeCString(pdu.systemId, buffer, at));
    case command.dataSm: {
      let next = writeAddresses(pdu, buffer, at);
      buffer[next++] = pdu.esmClass;
      buffer[next++] = pdu.registeredDelivery;
      buffer[next++] = pdu.dataCoding;
      return writeTlvs(pdu.tlvs, buffer, next);
    }
    case command.querySm: {
      let next = writeCString(pdu.messageId, buffer, at);
      buffer[next++] = pdu.sourceTon;
      buffer[next++] = pdu.sourceNpi;
      next = writeCString(pdu.source, buffer, next);
      return next;
    }
    case command.cancelSm: {
      let next = writeCString(pdu.serviceType, buffer, at);
      next = writeCString(pdu.messageId, buffer, next);
      buffer[next++] = pdu.sourceTon;
      buffer[next++] = pdu.sourceNpi;
      next = writeCString(pdu.source, buffer, next);
      buffer[next++] = pdu.destinationTon;
      buffer[next++] = pdu.destinationNpi;
      return writeCString(pdu.destination, buffer, next);
    }
    case command.replaceSm: {
      let next = writeCString(pdu.messageId, buffer, at);
      buffer[next++] = pdu.sourceTon;
      buffer[next++] = pdu.sourceNpi;
      next = writeCString(pdu.source, buffer, next);
      next = writeCString(pdu.scheduleTime, buffer, next);
      next = writeCString(pdu.validityPeriod, buffer, next);
      buffer[next++] = pdu.registeredDelivery;
      buffer[next++] = pdu.defaultMessageId;
      return writeTlvs(pdu.tlvs, buffer, writeShortMessage(pdu.shortMessage, buffer, next));
    }
    case command.querySmResp: {
      let next = writeCString(pdu.messageId, buffer, at);
      next = writeCString(pdu.finalDate, buffer, next);
      buffer[next++] = pdu.messageState;
      buffer[next++] = pdu.errorCode;
      return next;
    }
  }
}

function writeAddresses(pdu: Addresses, buffer: Buffer, at: number): number {
  let next = writeCString(pdu.serviceType, buffer, at);
  buffer[next++] = pdu.sourceTon;
  buffer[next++] = pdu.sourceNpi;
  next = writeCString(pdu.source, buffer, next);
  buffer[next++] = pdu.destinationTon;
  buffer[next++] = pdu.destinationNpi;
  return writeCString(pdu.destination, buffer, next);
}

function writeMessage(pdu: MessagePdu, buffer: Buffer, at: number): number {
  return writeContent(pdu, buffer, writeAddresses(pdu, buffer, at));
}

function writeMulti(pdu: SubmitMultiPdu, buffer: Buffer, at: number): number {
  const { destinations } = pdu;
  if (destinations.length > 0xff) throw new RangeError('over 255 destinations');
  let next = writeCString(pdu.serviceType, buffer, at);
  buffer[next++] = pdu.sourceTon;
  buffer[next++] = pdu.sourceNpi;
  next = writeCString(pdu.source, buffer, next);
  buffer[next++] = destinations.length;
  for (const to of destinations) {
    if ('list' in to) {
      buffer[next++] = destinationFlag.list;
      next = writeCString(to.list, buffer, next);
    } else {
      buffer[next++] = destinationFlag.address;
      buffer[next++] = to.ton;
      buffer[next++] = to.npi;
      next = writeCString(to.address, buffer, next);
    }
  }
  return writeContent(pdu, buffer, next);
}

function writeMultiResp(pdu: SubmitMultiRespPdu, buffer: Buffer, at: number): number {
  const { refused } = pdu;
  if (refused.length > 0xff) throw new RangeError('over 255 destinations');
  let next = writeCString(pdu.messageId, buffer, at);
  buffer[next++] = refused.length;
  for (const { ton, npi, address, error } of refused) {
    buffer[next++] = ton;
    buffer[next++] = npi;
    next = writeCString(address, buffer, next);
    write32(buffer, next, error);
    next += 4;
  }
  return next;
}

/** Writes the fields that follow the destinations of a message. */
function writeContent(pdu: MessagePdu | SubmitMultiPdu, buffer: Buffer, at: number): number {
  const { shortMessage, tlvs } = pdu;
  let next = at;
  buffer[next++] = pdu.esmClass;
  buffer[next++] = pdu.protocolId;
  buffer[next++] = pdu.priority;
  next = writeCString(pdu.scheduleTime, buffer, next);
  next = writeCString(pdu.validityPeriod, buffer, next);
  buffer[next++] = pdu.registeredDelivery;
  buffer[next++] = pdu.replaceIfPresent;
  buffer[next++] = pdu.dataCoding;
  buffer[next++] = pdu.defaultMessageId;
  next = writeShortMessage(shortMessage, buffer, next);
  return tlvs.length === 0 ? next : writeTlvs(tlvs, buffer, next);
}

/** Writes sm_length and short_message. */
function writeShortMessage(shortMessage: Uint8Array, buffer: Buffer, at: number): number {
  const { length } = shortMessage;
  if (length > 254) throw new RangeError('short_message over 254 octets');
  buffer[at] = length;
  if (length > 0) buffer.set(shortMessage, at + 1);
  return at + 1 + length;
}

function writeMessageResp(pdu: MessageRespPdu, buffer: Buffer, at: number): number {
  return writeTlvs(pdu.tlvs, buffer, writeCString(pdu.messageId, buffer, at));
}

function writeTlvs(tlvs: readonly Tlv[], buffer: Buffer, at: number): number {
  let next = at;
  for (const { tag, value } of tlvs) {
    if (value.length > 0xffff) throw new RangeError('parameter over 65,535 octets');
    buffer[next] = tag >>> 8;
    buffer[next + 1] = tag;
    buffer[next + 2] = value.length >>> 8;
    buffer[next + 3] = value.length;
    buffer.set(value, next + 4);
    next += 4 + value.length;
  }
  return next;
}

/** Addresses and ids are short: a loop is faster than a call into the runtime. */
function writeCString(text: string, buffer: Buffer, at: number): number {
  const { length } = text;
  for (let i = 0; i < length; i++) buffer[at + i] = text.charCodeAt(i);
  buffer[at + length] = 0;
  return at + length + 1;
}

function write32(buffer: Buffer, at: number, value: number): void {
  buffer[at] = value >>> 24;
  buffer[at + 1] = value >>> 16;
  buffer[at + 2] = value >>> 8;
  buffer[at + 3] = value;
}
