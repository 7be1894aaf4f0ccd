import type { ConditionDescription } from './description.ts';
import type { CarrierDocument } from './document.ts';
import { compileExpression, compileLocator } from './locator.ts';

/** Maximum values that an expression is compared with, and characters of each. */
const MAX_MATCHED = 20;
const MAX_TEXT = 200;

/** Whether a condition of a description holds for an answer or a request. */
export type Condition = (document: CarrierDocument) => boolean;

/** Compiles a condition. Of a place with several values, one must match. */
export function compileCondition({ status, at, is, in: list, matches }: ConditionDescription): Condition {
  const statuses = status === undefined ? undefined : [status].flat();
  const read = at === undefined ? undefined : compileLocator(at);
  const texts = is === undefined ? list?.map(String) : [String(is)];
  const accepted = texts && new Set(texts);
  const expression = matches === undefined ? undefined : compileExpression(matches);
  return (document) => {
    if (statuses && !statuses.some((one) => hasStatus(document, one))) return false;
    if (!read) return true;
    const values = read(document);
    if (accepted) return values.some((value) => accepted.has(value));
    if (expression)
      return values
        .slice(0, MAX_MATCHED)
        .some((value) => expression.matcher(value.slice(0, MAX_TEXT)).find());
    return values.some((value) => value !== '');
  };
}

const hasStatus = ({ status }: CarrierDocument, wanted: number | string): boolean =>
  typeof wanted === 'number'
    ? status === wanted
    : status !== undefined && `${Math.floor(status / 100)}xx` === wanted;
