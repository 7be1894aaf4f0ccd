import { command, destinationFlag, headerLength } from './commands.ts';
import { errorCode } from './errors.ts';
import type {
  MessagePdu,
  MultiDestination,
  Pdu,
  ReplacePdu,
  SubmitMultiPdu,
  SubmitMultiRespPdu,
  Tlv,
} from './pdu.ts';
import { Reader, UndecodableError } from './reader.ts';

/**
 * Maximum octets of a credential, an address or a message id, including NUL. The specification has 9 to 21 for some of
 * them and 65 for others. Peers use longer passwords and names than it allows, so all have the largest limit.
 */
const longString = 65;
const noTlvs: readonly Tlv[] = [];
const empty = Buffer.alloc(0);

/** A PDU that could not be decoded, with the answer to send. */
export interface BadPdu {
  readonly command: number;
  readonly sequence: number;
  /** command_status of the answer. */
  readonly answer: number;
  /** Where decoding failed; contains no content. */
  readonly reason: string;
}

type Decoded = { readonly pdu: Pdu; readonly bad?: undefined } | { readonly bad: BadPdu };

/**
 * Decodes the PDU in `buffer[start, end)`; `end - start` is its command_length (framing has checked it). Never throws.
 * Octets of messages and parameters are views on the buffer, which must not be overwritten.
 *
 * Tolerates common faults of peers: a missing body, or one cut short after a mandatory string, in an answer (SMPP 3.4,
 * 4.1.2 and others: "not returned if command_status is not 0"), and any octets in generic_nack, unbind and
 * enquire_link.
 */
export function decodePdu(buffer: Buffer, start: number, end: number): Decoded {
  const id = buffer.readUInt32BE(start + 4);
  const status = buffer.readUInt32BE(start + 8);
  const sequence = buffer.readUInt32BE(start + 12);
  try {
    const pdu = decodeBody(id, status, sequence, new Reader(buffer, start + headerLength, end));
    if (pdu) return { pdu };
    return { bad: { command: id, sequence, answer: errorCode.ESME_RINVCMDID, reason: 'unknown command id' } };
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    return { bad: { command: id, sequence, answer: error.status, reason: error.message } };
  }
}

function decodeBody(id: number, status: number, sequence: number, reader: Reader): Pdu | null {
  switch (id) {
    case command.submitSm:
    case command.deliverSm:
      return readMessage(id, status, sequence, reader);
    case command.submitMulti:
      return readMulti(id, status, sequence, reader);
    case command.submitMultiResp:
      return readMultiResp(id, status, sequence, reader);
    case command.submitSmResp:
    case command.deliverSmResp:
    case command.dataSmResp:
      return {
        command: id,
        status,
        sequence,
        messageId: reader.left > 0 ? reader.cString(longString, errorCode.ESME_RINVMSGID) : '',
        tlvs: reader.left > 0 ? reader.tlvs() : noTlvs,
      };
    case command.genericNack:
    case command.unbind:
    case command.unbindResp:
    case command.enquireLink:
    case command.enquireLinkResp:
    case command.cancelSmResp:
    case command.replaceSmResp:
      return { command: id, status, sequence };
    case command.bindReceiver:
    case command.bindTransmitter:
    case command.bindTransceiver:
      return {
        command: id,
        status,
        sequence,
        systemId: reader.cString(longString, errorCode.ESME_RINVSYSID),
        password: reader.cString(longString, errorCode.ESME_RINVPASWD),
        systemType: reader.cString(13, errorCode.ESME_RINVSYSTYP),
        interfaceVersion: reader.octet(),
        addressTon: reader.octet(),
        addressNpi: reader.octet(),
        addressRange: reader.cString(41, errorCode.ESME_RINVPARLEN),
        tlvs: reader.tlvs(),
      };
    case command.bindReceiverResp:
    case command.bindTransmitterResp:
    case command.bindTransceiverResp:
      return {
        command: id,
        status,
        sequence,
        systemId: reader.left > 0 ? reader.cString(longString, errorCode.ESME_RINVSYSID) : '',
        tlvs: reader.left > 0 ? reader.tlvs() : noTlvs,
      };
    case command.dataSm:
      return {
        command: id,
        status,
        sequence,
        serviceType: reader.cString(6, errorCode.ESME_RINVSERTYP),
        sourceTon: reader.octet(),
        sourceNpi: reader.octet(),
        source: reader.cString(longString, errorCode.ESME_RINVSRCADR),
        destinationTon: reader.octet(),
        destinationNpi: reader.octet(),
        destination: reader.cString(longString, errorCode.ESME_RINVDSTADR),
        esmClass: reader.octet(),
        registeredDelivery: reader.octet(),
        dataCoding: reader.octet(),
        tlvs: reader.tlvs(),
      };
    case command.querySm:
      return {
        command: id,
        status,
        sequence,
        messageId: reader.cString(longString, errorCode.ESME_RINVMSGID),
        sourceTon: reader.octet(),
        sourceNpi: reader.octet(),
        source: reader.cString(longString, errorCode.ESME_RINVSRCADR),
      };
    case command.cancelSm:
      return {
        command: id,
        status,
        sequence,
        serviceType: reader.cString(6, errorCode.ESME_RINVSERTYP),
        messageId: reader.cString(longString, errorCode.ESME_RINVMSGID),
        sourceTon: reader.octet(),
        sourceNpi: reader.octet(),
        source: reader.cString(longString, errorCode.ESME_RINVSRCADR),
        destinationTon: reader.octet(),
        destinationNpi: reader.octet(),
        destination: reader.cString(longString, errorCode.ESME_RINVDSTADR),
      };
    case command.replaceSm:
      return readReplace(id, status, sequence, reader);
    case command.querySmResp: {
      if (reader.left === 0)
        return { command: id, status, sequence, messageId: '', finalDate: '', messageState: 0, errorCode: 0 };
      return {
        command: id,
        status,
        sequence,
        messageId: reader.cString(longString, errorCode.ESME_RINVMSGID),
        finalDate: reader.cString(17, errorCode.ESME_RINVPARLEN),
        messageState: reader.octet(),
        errorCode: reader.octet(),
      };
    }
    default:
      return null;
  }
}

function readMessage(
  id: MessagePdu['command'],
  status: number,
  sequence: number,
  reader: Reader,
): MessagePdu {
  const serviceType = reader.cString(6, errorCode.ESME_RINVSERTYP);
  const sourceTon = reader.octet();
  const sourceNpi = reader.octet();
  const source = reader.cString(longString, errorCode.ESME_RINVSRCADR);
  const destinationTon = reader.octet();
  const destinationNpi = reader.octet();
  const destination = reader.cString(longString, errorCode.ESME_RINVDSTADR);
  const esmClass = reader.octet();
  const protocolId = reader.octet();
  const priority = reader.octet();
  const scheduleTime = reader.cString(17, errorCode.ESME_RINVSCHED);
  const validityPeriod = reader.cString(17, errorCode.ESME_RINVEXPIRY);
  const registeredDelivery = reader.octet();
  const replaceIfPresent = reader.octet();
  const dataCoding = reader.octet();
  const defaultMessageId = reader.octet();
  const shortMessage = readShortMessage(reader);
  return {
    command: id,
    status,
    sequence,
    serviceType,
    sourceTon,
    sourceNpi,
    source,
    destinationTon,
    destinationNpi,
    destination,
    esmClass,
    protocolId,
    priority,
    scheduleTime,
    validityPeriod,
    registeredDelivery,
    replaceIfPresent,
    dataCoding,
    defaultMessageId,
    shortMessage,
    tlvs: reader.left === 0 ? noTlvs : reader.tlvs(),
  };
}

/**
 * Reads the fields that follow the destinations of submit_multi. `readMessage` reads them itself: for each message, one
 * object is faster than two.
 */
function readContent(reader: Reader) {
  const esmClass = reader.octet();
  const protocolId = reader.octet();
  const priority = reader.octet();
  const scheduleTime = reader.cString(17, errorCode.ESME_RINVSCHED);
  const validityPeriod = reader.cString(17, errorCode.ESME_RINVEXPIRY);
  const registeredDelivery = reader.octet();
  const replaceIfPresent = reader.octet();
  const dataCoding = reader.octet();
  const defaultMessageId = reader.octet();
  const shortMessage = readShortMessage(reader);
  return {
    esmClass,
    protocolId,
    priority,
    scheduleTime,
    validityPeriod,
    registeredDelivery,
    replaceIfPresent,
    dataCoding,
    defaultMessageId,
    shortMessage,
    tlvs: reader.left === 0 ? noTlvs : reader.tlvs(),
  };
}

/** Reads sm_length and short_message. */
function readShortMessage(reader: Reader): Uint8Array {
  const length = reader.octet();
  return length === 0 ? empty : reader.octets(length, errorCode.ESME_RINVMSGLEN);
}

function readReplace(
  id: ReplacePdu['command'],
  status: number,
  sequence: number,
  reader: Reader,
): ReplacePdu {
  const messageId = reader.cString(longString, errorCode.ESME_RINVMSGID);
  const sourceTon = reader.octet();
  const sourceNpi = reader.octet();
  const source = reader.cString(longString, errorCode.ESME_RINVSRCADR);
  const scheduleTime = reader.cString(17, errorCode.ESME_RINVSCHED);
  const validityPeriod = reader.cString(17, errorCode.ESME_RINVEXPIRY);
  const registeredDelivery = reader.octet();
  const defaultMessageId = reader.octet();
  const shortMessage = readShortMessage(reader);
  return {
    ...{ command: id, status, sequence, messageId, sourceTon, sourceNpi, source, scheduleTime },
    ...{ validityPeriod, registeredDelivery, defaultMessageId, shortMessage, tlvs: reader.tlvs() },
  };
}

function readMulti(
  id: SubmitMultiPdu['command'],
  status: number,
  sequence: number,
  reader: Reader,
): SubmitMultiPdu {
  const serviceType = reader.cString(6, errorCode.ESME_RINVSERTYP);
  const sourceTon = reader.octet();
  const sourceNpi = reader.octet();
  const source = reader.cString(longString, errorCode.ESME_RINVSRCADR);
  const destinations: MultiDestination[] = [];
  for (let left = reader.octet(); left > 0; left--) destinations.push(readDestination(reader));
  const addresses = { serviceType, sourceTon, sourceNpi, source, destinations };
  return { command: id, status, sequence, ...addresses, ...readContent(reader) };
}

function readDestination(reader: Reader): MultiDestination {
  const flag = reader.octet();
  if (flag === destinationFlag.list) return { list: reader.cString(longString, errorCode.ESME_RINVDLNAME) };
  if (flag !== destinationFlag.address)
    throw new UndecodableError('unknown dest_flag', errorCode.ESME_RINVDESTFLAG);
  return {
    ton: reader.octet(),
    npi: reader.octet(),
    address: reader.cString(longString, errorCode.ESME_RINVDSTADR),
  };
}

function readMultiResp(
  id: SubmitMultiRespPdu['command'],
  status: number,
  sequence: number,
  reader: Reader,
): SubmitMultiRespPdu {
  if (reader.left === 0) return { command: id, status, sequence, messageId: '', refused: [] };
  const messageId = reader.cString(longString, errorCode.ESME_RINVMSGID);
  const refused: SubmitMultiRespPdu['refused'][number][] = [];
  for (let left = reader.left === 0 ? 0 : reader.octet(); left > 0; left--)
    refused.push({
      ton: reader.octet(),
      npi: reader.octet(),
      address: reader.cString(longString, errorCode.ESME_RINVDSTADR),
      error: reader.uint32(),
    });
  return { command: id, status, sequence, messageId, refused };
}

/** Returns the value of the first parameter with that tag. */
export function findTlv(tlvs: readonly Tlv[], wanted: number): Uint8Array | undefined {
  for (const tlv of tlvs) if (tlv.tag === wanted) return tlv.value;
  return undefined;
}
