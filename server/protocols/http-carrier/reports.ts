import type { CarrierIncoming, CarrierReceipt } from '../../engine/carriers/carrier.ts';
import { status as statuses } from '../../kit/statuses.ts';
import { cleanCode, firstOf, isId } from './answer.ts';
import { callEndOf } from './call-ends.ts';
import { compileCondition } from './condition.ts';
import type { HttpDescription } from './description.ts';
import type { CarrierDocument } from './document.ts';
import { compileLocator, itemsAt } from './locator.ts';
import type { CallStateName, StateName } from './state-names.ts';

/** Maximum characters of an incoming message: more than the longest concatenated SMS. */
const MAX_TEXT = 40_000;

const statusOfState: Readonly<Record<StateName, number>> = {
  sent: statuses.sent,
  delivered: statuses.delivered,
  undelivered: statuses.undelivered,
  expired: statuses.expired,
  rejected: statuses.rejected,
  deleted: statuses.deleted,
  failed: statuses.failed,
  unreachable: statuses.outOfCoverage,
  unknown: statuses.unknown,
};

/** Content of a request from a provider. */
export interface CarrierNotice {
  readonly receipts: readonly CarrierReceipt[];
  readonly incoming: readonly CarrierIncoming[];
  /** Items that look like reports or messages and cannot be read: without an id, a status or a sender. */
  readonly unreadable: number;
}

/** Reads requests of a provider. Either of its addresses can get reports and incoming messages, if the description tells them apart. */
export type NoticeReader = (request: CarrierDocument, kind: 'reports' | 'incoming') => CarrierNotice;

/** Compiles the reports and incoming messages of a description. */
export function compileNotices({ channel, reports, incoming }: HttpDescription): NoticeReader {
  const readReports = reports && compileReports(reports, channel === 'voice' ? callEndOf : messageEndOf);
  const readIncoming = incoming && compileIncoming(incoming);
  // Without a condition, each address has its own kind.
  const isTold = reports?.when !== undefined && incoming?.when !== undefined;
  return (request, kind) => {
    const found = {
      receipts: kind === 'reports' || isTold ? (readReports?.(request) ?? []) : [],
      incoming: kind === 'incoming' || isTold ? (readIncoming?.(request) ?? []) : [],
    };
    const receipts = found.receipts.filter((one) => one !== undefined);
    const messages = found.incoming.filter((one) => one !== undefined);
    const all = found.receipts.length + found.incoming.length;
    return { receipts, incoming: messages, unreadable: all - receipts.length - messages.length };
  };
}

type Each<T> = (request: CarrierDocument) => (T | undefined)[];

/** Returns the items of a request: those at the pointer, or the request itself. */
const itemsOf = (request: CarrierDocument, each: string | undefined): CarrierDocument[] =>
  each === undefined ? [request] : itemsAt(request, each).map((value) => request.at(value));

/**
 * Returns status and code of a report.
 *
 * @param state its state; undefined for a word that the description does not list
 * @param code the provider's word, with its error
 */
type EndOf = (
  state: StateName | CallStateName | undefined,
  code: string,
) => Pick<CarrierReceipt, 'status' | 'code' | 'isReversed'>;

/** An unknown status says nothing about the end of the message. */
const messageEndOf: EndOf = (state, code) => ({
  status: statusOfState[(state ?? 'sent') as StateName],
  code,
});

function compileReports(
  reports: NonNullable<HttpDescription['reports']>,
  endOf: EndOf,
): Each<CarrierReceipt> {
  const isReport = reports.when && compileCondition(reports.when);
  const readId = compileLocator(reports.id);
  const readStatus = compileLocator(reports.status);
  const readTo = reports.to === undefined ? undefined : compileLocator(reports.to);
  const readCode = firstOf(reports.code);
  // Providers change the case of their statuses between interfaces.
  const states = new Map(Object.entries(reports.states).map(([name, state]) => [name.toLowerCase(), state]));
  return (request) =>
    itemsOf(request, reports.each)
      .filter((item) => isReport?.(item) ?? true)
      .map((item): CarrierReceipt | undefined => {
        const carrierId = readId(item).find(isId);
        const word = readStatus(item)[0];
        if (carrierId === undefined || word === undefined || word === '') return undefined;
        const error = readCode(item);
        // Providers write zeros in reports without an error.
        const code = /^0*$/.test(error) ? word : `${word}/${error}`;
        return {
          carrierId,
          ...endOf(states.get(word.toLowerCase()), cleanCode(code)),
          destination: digitsOf(readTo?.(item)[0] ?? ''),
        };
      });
}

function compileIncoming(incoming: NonNullable<HttpDescription['incoming']>): Each<CarrierIncoming> {
  const isMessage = incoming.when && compileCondition(incoming.when);
  const readFrom = compileLocator(incoming.from);
  const readTo = compileLocator(incoming.to);
  const readText = compileLocator(incoming.text);
  return (request) =>
    itemsOf(request, incoming.each)
      .filter((item) => isMessage?.(item) ?? true)
      .map((item): CarrierIncoming | undefined => {
        const from = addressOf(readFrom(item)[0] ?? '');
        const to = addressOf(readTo(item)[0] ?? '');
        if (from === '' || to === '') return undefined;
        return { from, to, text: (readText(item)[0] ?? '').slice(0, MAX_TEXT) };
      });
}

const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, 20);

/** Returns an address without `+`: digits, or the name of a sender. */
const addressOf = (text: string): string => {
  // In a form, an unescaped plus is a space.
  const bare = text.trim().replace(/^\+/, '');
  return /^[\d\s()-]+$/.test(bare) ? digitsOf(bare) : bare.slice(0, 40);
};
