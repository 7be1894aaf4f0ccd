import { status } from '../../kit/statuses.ts';

/** How a command_status in the answer to submit_sm affects the message. */
export type ErrorMeaning =
  /** The network accepted it. */
  | { readonly kind: 'accepted' }
  /** Temporary, or an operator can remove the cause: the message is tried again later. */
  | { readonly kind: 'retry' }
  /** Too fast: the connector slows down and submits the message again. */
  | { readonly kind: 'throttled' }
  /** Final for this message; `status` is the delivery status to report (decisions, "SMPP stat maps"). */
  | { readonly kind: 'refused'; readonly status: number };

const retry: ErrorMeaning = { kind: 'retry' };
const throttled: ErrorMeaning = { kind: 'throttled' };
/** This connector can never send the message in this form. */
const refused: ErrorMeaning = { kind: 'refused', status: status.undelivered };
/** The network rejects the content or the source, which the sender must change. */
const rejected: ErrorMeaning = { kind: 'refused', status: status.rejected };

/**
 * Every command_status of SMPP 3.4 (5.1.3), with the few of 5.0 that 3.4 peers send. A fault of the SMSC or of the
 * session is retried. A fault in the message is final, for the same octets would be rejected again. A status that
 * belongs to the answer of a bind, a query or a delivery means that the peer is confused, and is retried.
 */
const table = [
  [0x00, 'ESME_ROK', { kind: 'accepted' }],
  [0x01, 'ESME_RINVMSGLEN', refused],
  [0x02, 'ESME_RINVCMDLEN', refused],
  [0x03, 'ESME_RINVCMDID', refused],
  // Not bound for sending: a matter of the session, not of the message.
  [0x04, 'ESME_RINVBNDSTS', retry],
  [0x05, 'ESME_RALYBND', retry],
  [0x06, 'ESME_RINVPRTFLG', refused],
  [0x07, 'ESME_RINVREGDLVFLG', refused],
  [0x08, 'ESME_RSYSERR', retry],
  [0x0a, 'ESME_RINVSRCADR', rejected],
  [0x0b, 'ESME_RINVDSTADR', refused],
  [0x0c, 'ESME_RINVMSGID', refused],
  [0x0d, 'ESME_RBINDFAIL', retry],
  [0x0e, 'ESME_RINVPASWD', retry],
  [0x0f, 'ESME_RINVSYSID', retry],
  [0x11, 'ESME_RCANCELFAIL', refused],
  [0x13, 'ESME_RREPLACEFAIL', refused],
  // The queue of the network or of the recipient is full, and will empty.
  [0x14, 'ESME_RMSGQFUL', retry],
  [0x15, 'ESME_RINVSERTYP', refused],
  [0x33, 'ESME_RINVNUMDESTS', refused],
  [0x34, 'ESME_RINVDLNAME', refused],
  [0x40, 'ESME_RINVDESTFLAG', refused],
  [0x42, 'ESME_RINVSUBREP', refused],
  [0x43, 'ESME_RINVESMCLASS', refused],
  [0x44, 'ESME_RCNTSUBDL', refused],
  // "submit_sm failed" without a reason: peers send it when their own backend did not answer.
  [0x45, 'ESME_RSUBMITFAIL', retry],
  [0x48, 'ESME_RINVSRCTON', rejected],
  [0x49, 'ESME_RINVSRCNPI', rejected],
  [0x50, 'ESME_RINVDSTTON', refused],
  [0x51, 'ESME_RINVDSTNPI', refused],
  [0x53, 'ESME_RINVSYSTYP', refused],
  [0x54, 'ESME_RINVREPFLAG', refused],
  [0x55, 'ESME_RINVNUMMSGS', refused],
  [0x58, 'ESME_RTHROTTLED', throttled],
  [0x61, 'ESME_RINVSCHED', refused],
  [0x62, 'ESME_RINVEXPIRY', refused],
  [0x63, 'ESME_RINVDFTMSGID', refused],
  [0x64, 'ESME_RX_T_APPN', retry],
  [0x65, 'ESME_RX_P_APPN', refused],
  [0x66, 'ESME_RX_R_APPN', rejected],
  [0x67, 'ESME_RQUERYFAIL', retry],
  [0xc0, 'ESME_RINVOPTPARSTREAM', refused],
  [0xc1, 'ESME_ROPTPARNOTALLWD', refused],
  [0xc2, 'ESME_RINVPARLEN', refused],
  [0xc3, 'ESME_RMISSINGOPTPARAM', refused],
  [0xc4, 'ESME_RINVOPTPARAMVAL', refused],
  [0xfe, 'ESME_RDELIVERYFAILURE', refused],
  [0xff, 'ESME_RUNKNOWNERR', retry],
  [0x100, 'ESME_RSERTYPUNAUTH', refused],
  [0x101, 'ESME_RPROHIBITED', rejected],
  [0x102, 'ESME_RSERTYPUNAVAIL', retry],
  [0x103, 'ESME_RSERTYPDENIED', refused],
  [0x104, 'ESME_RINVDCS', refused],
  [0x105, 'ESME_RINVSRCADDRSUBUNIT', rejected],
  [0x106, 'ESME_RINVDSTADDRSUBUNIT', refused],
] as const satisfies readonly (readonly [number, string, ErrorMeaning])[];

export type ErrorName = (typeof table)[number][1];

/** command_status by name. */
export const errorCode = Object.fromEntries(table.map(([code, name]) => [name, code])) as Record<
  ErrorName,
  number
>;

/** Every named code, with its name and meaning. */
export const smppErrors: ReadonlyMap<number, { readonly name: ErrorName; readonly meaning: ErrorMeaning }> =
  new Map(table.map(([code, name, meaning]) => [code, { name, meaning }]));

/**
 * Returns how a command_status affects a message.
 *
 * An unknown code (reserved, or a vendor's own from 0x400 to 0x4FF) is final, as undelivered: vendors use theirs for
 * faults of the message or the contract (unknown subscriber, no credit, blocked content). Endless retries would fill a
 * queue with messages that never leave, and 3.4 has specific codes for temporary faults. The setting `errorMeanings`
 * overrides the meaning of a peer's codes.
 */
export function meaningOf(code: number): ErrorMeaning {
  return smppErrors.get(code)?.meaning ?? refused;
}

/** Returns the code's name, or its hexadecimal number for unknown codes: for messages' timelines and metrics. */
export function errorName(code: number): string {
  return smppErrors.get(code)?.name ?? `0x${code.toString(16).padStart(8, '0')}`;
}

const meaningsByWord = { retry, throttled, undelivered: refused, rejected } as const;

/** Returns `meaningOf` with the meanings that the setting `errorMeanings` gives some codes. */
export function meaningsBy(
  words: Readonly<Record<string, keyof typeof meaningsByWord>>,
): (code: number) => ErrorMeaning {
  const given = new Map(Object.entries(words).map(([code, word]) => [Number(code), meaningsByWord[word]]));
  return (code) => given.get(code) ?? meaningOf(code);
}
