import type { CarrierReceipt } from '../../engine/carriers/carrier.ts';
import { status } from '../../kit/statuses.ts';
import { findTlv } from './codec.ts';
import { esmClass, messageStates, tag } from './commands.ts';
import type { DataPdu, MessagePdu } from './pdu.ts';

/** Delivery status by the `stat` of a receipt (decisions, "SMPP stat maps"), including long spellings of peers. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['DELIVRD', status.delivered],
  ['DELIVERED', status.delivered],
  ['EXPIRED', status.expired],
  ['DELETED', status.deleted],
  ['UNDELIV', status.undelivered],
  ['UNDELIVERED', status.undelivered],
  ['UNDELIVERABLE', status.undelivered],
  ['ACCEPTD', status.sent],
  ['ACCEPTED', status.sent],
  ['ENROUTE', status.sent],
  ['REJECTD', status.rejected],
  ['REJECTED', status.rejected],
  ['UNKNOWN', status.unknown],
]);

const stateNames: ReadonlyMap<number, string> = new Map(messageStates);

// Fields may have any order and case, white space around the colon, and white space, commas or semicolons between them.
// Names and values may be quoted, and so may the whole receipt, also in braces as JSON. A bare value contains no colon, so
// that an empty field does not take the next one's name.
const before = `(?:^\\s*["']?|[\\s,;{])`;
const after = `(?=[\\s,;}]|["']?$)`;
const field = (name: string) =>
  new RegExp(
    `${before}(["']?)${name}\\1\\s*:\\s*(?:"([^"]{0,100})"|'([^']{0,100})'|([^\\s,;:"'{}]+))${after}`,
    'i',
  );
const idField = field('id');
const statField = field('stat');
const errField = field('err');
const textField = new RegExp(`${before}(["']?)text\\1\\s*:`, 'i');
const quotedText = new RegExp(`${textField.source}\\s*(?:"[^"]{0,1000}"|'[^']{0,1000}')`, 'i');

/**
 * Whether a deliver_sm or data_sm is a receipt or an intermediate notification: by its esm_class (SMPP 3.4,
 * 5.2.12), or, for peers that leave esm_class 0, by having both parameters that only a receipt has.
 */
export function isReceipt(pdu: MessagePdu | DataPdu): boolean {
  const type = pdu.esmClass & esmClass.typeMask;
  if (type === esmClass.receipt || type === esmClass.intermediate) return true;
  if (type !== 0 || pdu.tlvs.length === 0) return false;
  return (
    findTlv(pdu.tlvs, tag.receiptedMessageId) !== undefined &&
    findTlv(pdu.tlvs, tag.messageState) !== undefined
  );
}

/**
 * Parses a receipt from its parameters (receipted_message_id, message_state, network_error_code) and its text form
 * (SMPP 3.4, appendix B); the parameters have priority. Null when neither has an id.
 *
 * An unknown or missing `stat` is UNKNOWN; an intermediate notification is always "sent". `errorStatuses` gives the
 * delivery status for an `err` code of an undelivered message, if the network documents its codes.
 */
export function readReceipt(
  pdu: MessagePdu | DataPdu,
  text: string,
  errorStatuses: Readonly<Record<string, number>>,
): CarrierReceipt | null {
  const { tlvs } = pdu;
  const fields = receiptFields(text);
  const idTlv = tlvs.length === 0 ? undefined : findTlv(tlvs, tag.receiptedMessageId);
  const stateTlv = tlvs.length === 0 ? undefined : findTlv(tlvs, tag.messageState);
  const errorTlv = tlvs.length === 0 ? undefined : findTlv(tlvs, tag.networkErrorCode);

  const carrierId = (idTlv && cString(idTlv)) || match(idField, fields);
  if (!carrierId) return null;
  const stat = (stateTlv && stateNames.get(stateTlv[0] ?? 0)) || match(statField, fields).toUpperCase();
  const error = (errorTlv && networkError(errorTlv)) || match(errField, fields);

  let result = statuses.get(stat) ?? status.unknown;
  if ((pdu.esmClass & esmClass.typeMask) === esmClass.intermediate) result = status.sent;
  const isFailure = result !== status.sent && result !== status.delivered;
  if (isFailure && Object.hasOwn(errorStatuses, error)) result = errorStatuses[error]!;
  return {
    carrierId,
    status: result,
    code: error === '' ? stat : `${stat}/${error}`,
    destination: bareAddress(pdu.source),
  };
}

/** Returns the value of a field, or an empty string. */
function match(pattern: RegExp, text: string): string {
  const found = pattern.exec(text);
  return (found?.[2] ?? found?.[3] ?? found?.[4] ?? '').trim();
}

/** Removes the sender's own text from a receipt's text form, unless fields follow it. */
function receiptFields(text: string): string {
  const found = textField.exec(text);
  if (!found) return text;
  const before = text.slice(0, found.index);
  if (idField.test(before) || statField.test(before)) return before;
  return text.replace(quotedText, '');
}

function cString(value: Uint8Array): string {
  const end = value.indexOf(0);
  return Buffer.from(value.buffer, value.byteOffset, end === -1 ? value.length : end)
    .toString('latin1')
    .trim();
}

/** network_error_code: one octet of network type, two of the code (SMPP 3.4, 5.3.2.31). */
function networkError(value: Uint8Array): string {
  if (value.length < 3) return '';
  return String((value[1]! << 8) | value[2]!).padStart(3, '0');
}

/** Returns an address without its `+`. */
export function bareAddress(address: string): string {
  return address.startsWith('+') ? address.slice(1) : address;
}
