import type { command } from './commands.ts';

/** Optional parameter: tag, length and value as received (SMPP 3.4, 5.3). */
export interface Tlv {
  readonly tag: number;
  readonly value: Uint8Array;
}

type Command = typeof command;

interface Header<Id extends number> {
  readonly command: Id;
  /** command_status: 0 in requests. */
  readonly status: number;
  readonly sequence: number;
}

export interface BindPdu
  extends Header<Command['bindReceiver'] | Command['bindTransmitter'] | Command['bindTransceiver']> {
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly interfaceVersion: number;
  readonly addressTon: number;
  readonly addressNpi: number;
  readonly addressRange: string;
  readonly tlvs: readonly Tlv[];
}

export interface BindRespPdu
  extends Header<
    Command['bindReceiverResp'] | Command['bindTransmitterResp'] | Command['bindTransceiverResp']
  > {
  readonly systemId: string;
  readonly tlvs: readonly Tlv[];
}

/** First fields of a message. */
export interface Addresses {
  readonly serviceType: string;
  readonly sourceTon: number;
  readonly sourceNpi: number;
  readonly source: string;
  readonly destinationTon: number;
  readonly destinationNpi: number;
  readonly destination: string;
}

/** submit_sm and deliver_sm share one layout (SMPP 3.4, 4.4.1 and 4.6.1). */
export interface MessagePdu extends Header<Command['submitSm'] | Command['deliverSm']>, Addresses {
  readonly esmClass: number;
  readonly protocolId: number;
  readonly priority: number;
  readonly scheduleTime: string;
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly replaceIfPresent: number;
  readonly dataCoding: number;
  readonly defaultMessageId: number;
  /** At most 254 octets; longer ones use the message_payload parameter. */
  readonly shortMessage: Uint8Array;
  readonly tlvs: readonly Tlv[];
}

export interface DataPdu extends Header<Command['dataSm']>, Addresses {
  readonly esmClass: number;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  readonly tlvs: readonly Tlv[];
}

/** The answers to submit_sm, deliver_sm and data_sm: the id, empty for a rejection and for deliver_sm. */
export interface MessageRespPdu
  extends Header<Command['submitSmResp'] | Command['deliverSmResp'] | Command['dataSmResp']> {
  readonly messageId: string;
  readonly tlvs: readonly Tlv[];
}

interface QueryPdu extends Header<Command['querySm']> {
  readonly messageId: string;
  readonly sourceTon: number;
  readonly sourceNpi: number;
  readonly source: string;
}

interface QueryRespPdu extends Header<Command['querySmResp']> {
  readonly messageId: string;
  readonly finalDate: string;
  readonly messageState: number;
  readonly errorCode: number;
}

/** PDUs that consist of a header only. */
interface BarePdu
  extends Header<
    | Command['genericNack']
    | Command['unbind']
    | Command['unbindResp']
    | Command['enquireLink']
    | Command['enquireLinkResp']
  > {}

export type Pdu =
  | BindPdu
  | BindRespPdu
  | MessagePdu
  | DataPdu
  | MessageRespPdu
  | QueryPdu
  | QueryRespPdu
  | BarePdu;
