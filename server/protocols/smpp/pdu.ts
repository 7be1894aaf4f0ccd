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

/** A destination of submit_multi: an address, or the name of a distribution list. */
export type MultiDestination =
  | { readonly ton: number; readonly npi: number; readonly address: string }
  | { readonly list: string };

/** One message to up to 255 destinations (SMPP 3.4, 4.5.1). */
export interface SubmitMultiPdu
  extends Header<Command['submitMulti']>,
    Omit<
      MessagePdu,
      'command' | 'status' | 'sequence' | 'destinationTon' | 'destinationNpi' | 'destination'
    > {
  readonly destinations: readonly MultiDestination[];
}

/** The answer to submit_multi, with the destinations that were refused. */
export interface SubmitMultiRespPdu extends Header<Command['submitMultiResp']> {
  readonly messageId: string;
  readonly refused: readonly {
    readonly ton: number;
    readonly npi: number;
    readonly address: string;
    /** command_status of the destination. */
    readonly error: number;
  }[];
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

export interface QueryPdu extends Header<Command['querySm']> {
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

/** The message to cancel, by its id, or by service_type and addresses with an empty id. */
export interface CancelPdu extends Header<Command['cancelSm']>, Addresses {
  readonly messageId: string;
}

/** The new text of a message that waits, and its times; empty times stay as they are (SMPP 3.4, 4.10.1). */
export interface ReplacePdu
  extends Header<Command['replaceSm']>,
    Pick<
      MessagePdu,
      | 'sourceTon'
      | 'sourceNpi'
      | 'source'
      | 'scheduleTime'
      | 'validityPeriod'
      | 'registeredDelivery'
      | 'defaultMessageId'
      | 'shortMessage'
      | 'tlvs'
    > {
  readonly messageId: string;
}

/** PDUs that consist of a header only. */
interface BarePdu
  extends Header<
    | Command['genericNack']
    | Command['unbind']
    | Command['unbindResp']
    | Command['enquireLink']
    | Command['enquireLinkResp']
    | Command['cancelSmResp']
    | Command['replaceSmResp']
  > {}

export type Pdu =
  | BindPdu
  | BindRespPdu
  | MessagePdu
  | DataPdu
  | MessageRespPdu
  | QueryPdu
  | QueryRespPdu
  | CancelPdu
  | ReplacePdu
  | SubmitMultiPdu
  | SubmitMultiRespPdu
  | BarePdu;
