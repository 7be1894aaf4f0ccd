import type { CallbackFormat, StatusReport } from '../../engine/callbacks/format.ts';
import { status } from '../../kit/statuses.ts';
import { uuidOf } from '../http-interfaces/ids.ts';
import { receiptStateOf } from '../http-interfaces/receipt-states.ts';

/** The text with which a program acknowledges a report. */
const ACKNOWLEDGED = 'ACK/Jasmin';

/** Values of `dlr-level`, and of `level` in a report. */
const levels = { carrier: 1, phone: 2, both: 3 } as const;

/** `YYMMDDhhmm`, UTC. */
const timeOf = (at: number) => new Date(at).toISOString().replace(/\D/g, '').slice(2, 12);

/** Returns the fields of a report about the carrier's answer. */
function carrierFields({ wasSubmitted, code, connector }: StatusReport) {
  const error = code?.startsWith('ESME_') ? code : 'ESME_RSUBMITFAIL';
  return {
    level: levels.carrier,
    message_status: wasSubmitted ? 'ESME_ROK' : error,
    connector: connector ?? 'unknown',
  };
}

/** Returns the fields of a report about the phone. */
function phoneFields(report: StatusReport) {
  const { status: final, code, submittedAt, at, carrierId, connector } = report;
  return {
    level: levels.phone,
    message_status: receiptStateOf(final),
    connector: connector ?? 'unknown',
    id_smsc: carrierId ?? '',
    sub: '001',
    dlvrd: final === status.delivered ? '001' : '000',
    subdate: submittedAt === null ? '' : timeOf(submittedAt),
    donedate: timeOf(at),
    err: code?.split('/')[1] ?? '',
    text: '',
  };
}

/** Returns the fields of a report for a requested level; undefined without a report. */
function fieldsOf(report: StatusReport, asked: number) {
  if (report.kind === 'submitted') return asked === levels.phone ? undefined : carrierFields(report);
  if (report.wasSubmitted) return asked === levels.carrier ? undefined : phoneFields(report);
  // No carrier accepted it: one report, of a requested level.
  return asked === levels.phone ? phoneFields(report) : carrierFields(report);
}

/** Reports to a `dlr-url`, by GET or POST, that the program acknowledges by a text. */
export const jasminReports: CallbackFormat = (report, { url, terms }) => {
  const fields = fieldsOf(report, Number(terms.level));
  if (!fields) return undefined;
  const all = { id: uuidOf(report.shipmentId), ...fields };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) form.set(name, String(value));
  if (terms.method !== 'GET')
    return { method: 'POST', url, body: form.toString(), headers: [], expects: ACKNOWLEDGED };
  const address = new URL(url);
  address.search += `${address.search === '' ? '' : '&'}${form}`;
  return { method: 'GET', url: address.href, body: '', headers: [], expects: ACKNOWLEDGED };
};
