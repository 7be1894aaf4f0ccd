import type { FaultReason } from '../../kit/connector-faults.ts';
import { status as statuses } from '../../kit/statuses.ts';
import { callRefusal } from './call-ends.ts';
import { type Condition, compileCondition } from './condition.ts';
import type { HttpDescription, OutcomeDescription, RuleDescription } from './description.ts';
import { CarrierDocument, type HeaderFields } from './document.ts';
import { compileLocator, type Locator } from './locator.ts';
import type { callRefusalNames, refusalNames } from './state-names.ts';

/** Maximum characters of a code that is stored with a message. */
const MAX_CODE = 60;
/** Maximum characters of a message id, and ids of one message. */
const MAX_ID = 100;
const MAX_IDS = 20;
/** Maximum wait that a provider can ask for, in milliseconds. */
const MAX_AFTER_MS = 3_600_000;

/** Meaning of the answer to a send. */
export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly ids: readonly string[];
      /** Parts that the provider counted, and their price, where the answer has them. */
      readonly parts?: number;
      readonly price?: number;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'throttled'; readonly code: string; readonly afterMs?: number }
  | {
      readonly kind: 'again';
      readonly code: string;
      readonly afterMs?: number;
      /** Set when the provider accepts nothing from this account. */
      readonly fault?: FaultReason;
    }
  | { readonly kind: 'unknown' };

/** Reads the answers of a provider. `id` is the id of the request, for providers without ids. */
export type AnswerReader = (answer: ReceivedAnswer, id: string) => Verdict;

interface ReceivedAnswer {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string;
}

interface Rule {
  readonly matches: Condition;
  readonly description: RuleDescription;
  readonly after: Locator;
}

type Refusal = RuleDescription['as'];
const refusedAs: Readonly<Record<(typeof refusalNames)[number], number>> = {
  rejected: statuses.rejected,
  undelivered: statuses.undelivered,
  unreachable: statuses.outOfCoverage,
};

// The description has only names of its channel.
const refused = (as: Refusal, code: string) => ({
  status: refusedAs[(as ?? 'undelivered') as keyof typeof refusedAs],
  code,
});
const callRefused = (as: Refusal, code: string) =>
  callRefusal((as ?? 'failed') as (typeof callRefusalNames)[number], code);

/**
 * Compiles the rules for answers. The first rule that matches decides. Without a match, or without the id that an accepted message
 * must have, the outcome is unknown, because the provider may have sent the message.
 */
export function compileAnswer({ answer, channel }: HttpDescription): AnswerReader {
  const read = compileOutcome(answer, channel);
  return (received, id) => read(new CarrierDocument(received), id);
}

/** Compiles the rules for an answer, or for a result in it: a document at its place. */
export function compileOutcome(
  answer: OutcomeDescription,
  channel: HttpDescription['channel'],
): (document: CarrierDocument, id: string) => Verdict {
  const rules = answer.rules.map(
    (description): Rule => ({
      matches: compileCondition(description.when),
      description,
      after: compileLocator(description.afterAt ?? 'header:retry-after'),
    }),
  );
  const readIds = answer.id === undefined ? undefined : compileLocator(answer.id);
  const readCode = firstOf(answer.code);
  const readParts = answer.parts === undefined ? undefined : compileLocator(answer.parts);
  const readPrice = answer.price === undefined ? undefined : compileLocator(answer.price);

  return (document, id) => {
    const rule = rules.find(({ matches }) => matches(document));
    if (!rule) return { kind: 'unknown' };
    const ofStatus = `HTTP_${document.status}`;
    const code = cleanCode(readCode(document)) || ofStatus;
    const afterMs = waitOf(rule.after(document)[0]);
    const wait = afterMs !== undefined && { afterMs };
    const { then, as, fault } = rule.description;
    switch (then) {
      case 'accepted': {
        const ids = readIds ? readIds(document).filter(isId).slice(0, MAX_IDS) : [id];
        if (ids.length === 0) return { kind: 'unknown' };
        const parts = amountOf(readParts?.(document));
        const price = amountOf(readPrice?.(document));
        return {
          ...{ kind: 'accepted', ids },
          ...(parts !== undefined && { parts }),
          ...(price !== undefined && { price }),
        };
      }
      case 'refused':
        return { kind: 'refused', ...(channel === 'voice' ? callRefused(as, code) : refused(as, code)) };
      case 'throttled':
        return { kind: 'throttled', code, ...wait };
      case 'again':
        return { kind: 'again', code: labelOf(code, ofStatus), ...wait, ...(fault && { fault }) };
      case 'unknown':
        return { kind: 'unknown' };
    }
  };
}

/** Returns a reader of the first place that has a value; an empty text without one. */
export function firstOf(
  places: string | readonly string[] | undefined,
): (document: CarrierDocument) => string {
  const locators = [places ?? []].flat().map(compileLocator);
  return (document) => {
    for (const locator of locators) {
      const found = locator(document).find((value) => value !== '');
      if (found !== undefined) return found;
    }
    return '';
  };
}

/** Whether a value can be the id of a message. */
export const isId = (value: string): boolean => value !== '' && value.length <= MAX_ID;

/**
 * Returns a code as it is stored with a message: printable ASCII with single spaces, cut to the maximum. Numbers of seven or more
 * digits are masked, because providers write recipients into errors, and codes reach logs.
 */
export const cleanCode = (text: string): string =>
  text
    .replace(/[^\x21-\x7e]+/g, ' ')
    .replace(/\+?\d{7,}/g, '#')
    .trim()
    .slice(0, MAX_CODE);

/** Returns a code that can be the label of a metric: a short word, not a sentence. */
const labelOf = (code: string, ofStatus: string): string => (/^[\w.:-]{1,40}$/.test(code) ? code : ofStatus);

/** Parses a time to wait: seconds, or a date (RFC 9110, 10.2.3). Returns milliseconds; undefined for another text. */
export function waitOf(value: string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1_000), MAX_AFTER_MS);
  const date = Date.parse(value);
  // The machine's clock, because the date is real time also in the sandbox.
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - Date.now()), MAX_AFTER_MS);
}

/** Returns a number that a provider writes with or without its currency, like `KES 0.8000`. */
function amountOf(values: readonly string[] | undefined): number | undefined {
  const digits = /\d{1,9}(?:\.\d{1,9})?/.exec(values?.[0] ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
}
