import type { CallbackFormat, StatusReport } from '../../engine/callbacks/format.ts';
import { status } from '../../kit/statuses.ts';
import { uuidOf } from '../http-interfaces/ids.ts';
import { receiptStateOf } from '../http-interfaces/receipt-states.ts';
import { groupOf } from './meta-data.ts';

/** Values of `dlr-mask`, and of `%d` in a report. */
export const dlr = { delivered: 1, failed: 2, submitted: 8, rejected: 16 } as const;

/** Codes that Kannel knows and this interface has no value for. */
const WITHOUT_VALUE = 'bBCfkmMOrsSuvV';

/** Returns the value of `%d` for a status. */
function dlrOf({ kind, status: final, wasSubmitted }: StatusReport): number {
  if (kind === 'submitted') return dlr.submitted;
  if (final === status.delivered) return dlr.delivered;
  return wasSubmitted ? dlr.failed : dlr.rejected;
}

/** Returns the text of the carrier's answer or receipt. */
function replyOf(value: number, { status: final, code }: StatusReport): string {
  if (value === dlr.submitted) return 'ACK/';
  if (value === dlr.rejected) return `NACK/${code ?? final}`;
  // `DELIVRD/000`: the state and the error of a receipt.
  const [stat, error] = (code ?? receiptStateOf(final)).split('/');
  return error === undefined ? `stat:${stat}` : `stat:${stat} err:${error}`;
}

// A lone surrogate would throw, and the status of the message would not be stored.
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

const timeOf = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', '+');

/** Returns a value of `meta-data`. */
const metaDataOf = (metaData: string, group: string, name: string): string =>
  groupOf(metaData, group)?.text(name) ?? '';

/**
 * Reports to a `dlr-url`: a GET with the escape codes replaced. A report comes from the phone, so `%p` is the recipient
 * of the message and `%P` its sender.
 */
export const kannelReports: CallbackFormat = (report, { url, terms }) => {
  const value = dlrOf(report);
  if ((Number(terms.mask) & value) === 0) return undefined;
  const { mask: _, from = '', user = '', account = '', metaData = '' } = terms;
  const texts: Readonly<Record<string, string>> = {
    a: replyOf(value, report),
    A: replyOf(value, report),
    c: '0',
    d: String(value),
    D: metaData,
    F: report.carrierId ?? '',
    i: report.connector ?? '',
    I: uuidOf(report.shipmentId),
    n: user,
    o: account,
    p: report.phone,
    P: from,
    q: report.phone,
    Q: from,
    R: url,
    T: String(Math.floor(report.at / 1_000)),
  };
  const filled = url
    .replace(/%#([^#%]{0,100})#([^#%]{0,100})#/g, (_code, group: string, name: string) =>
      encoded(metaDataOf(metaData, group, name)),
    )
    .replace(/%([A-Za-z%])/g, (code, letter: string) => {
      if (letter === '%') return '%';
      if (letter === 't') return timeOf(report.at);
      if (WITHOUT_VALUE.includes(letter)) return '';
      return texts[letter] === undefined ? code : encoded(texts[letter]);
    });
  return { method: 'GET', url: filled, body: '', headers: [], expects: null };
};
