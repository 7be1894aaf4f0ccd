/** Command ids of SMPP 3.4 (5.1.2.1). A response is its request with the highest bit set. */
export const command = {
  genericNack: 0x80000000,
  bindReceiver: 0x00000001,
  bindReceiverResp: 0x80000001,
  bindTransmitter: 0x00000002,
  bindTransmitterResp: 0x80000002,
  querySm: 0x00000003,
  querySmResp: 0x80000003,
  submitSm: 0x00000004,
  submitSmResp: 0x80000004,
  deliverSm: 0x00000005,
  deliverSmResp: 0x80000005,
  unbind: 0x00000006,
  unbindResp: 0x80000006,
  replaceSm: 0x00000007,
  replaceSmResp: 0x80000007,
  cancelSm: 0x00000008,
  cancelSmResp: 0x80000008,
  bindTransceiver: 0x00000009,
  bindTransceiverResp: 0x80000009,
  enquireLink: 0x00000015,
  submitMulti: 0x00000021,
  submitMultiResp: 0x80000021,
  enquireLinkResp: 0x80000015,
  dataSm: 0x00000103,
  dataSmResp: 0x80000103,
} as const;

/** Values of data_coding for texts that are sent (SMPP 3.4, 5.2.19). */
export const textCoding = { default: 0, ucs2: 8 } as const;

/** Tags of the optional parameters that this project reads or writes (SMPP 3.4, 5.3.2). */
export const tag = {
  userMessageReference: 0x0204,
  receiptedMessageId: 0x001e,
  sarMsgRefNum: 0x020c,
  sarTotalSegments: 0x020e,
  sarSegmentSeqnum: 0x020f,
  scInterfaceVersion: 0x0210,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

/** Bits of esm_class (SMPP 3.4, 5.2.12). */
export const esmClass = {
  /** Bits 5 to 2 give the type of a deliver_sm. */
  typeMask: 0x3c,
  receipt: 0x04,
  deliveryAcknowledgement: 0x08,
  userAcknowledgement: 0x10,
  intermediate: 0x20,
  /** The short message starts with a user data header. */
  udh: 0x40,
} as const;

/** Values of dest_flag in submit_multi (SMPP 3.4, 5.2.25). */
export const destinationFlag = { address: 1, list: 2 } as const;

/** Values of message_state (SMPP 3.4, 5.2.28) with the `stat` of the text form (appendix B). */
export const messageStates = [
  [1, 'ENROUTE'],
  [2, 'DELIVRD'],
  [3, 'EXPIRED'],
  [4, 'DELETED'],
  [5, 'UNDELIV'],
  [6, 'ACCEPTD'],
  [7, 'UNKNOWN'],
  [8, 'REJECTD'],
] as const;

/** Length of a PDU's header: the smallest command_length. */
export const headerLength = 16;
/** Largest command_length accepted. The specification has no limit; message_payload alone may have 64 KiB. */
export const maxCommandLength = 64 * 1024;
