import { RE2JS } from 're2js';
import type { CarrierDocument } from './document.ts';
import { DescriptionError } from './template.ts';
import type { XmlElement } from './xml.ts';

/** Maximum values that one locator returns. A `*` over a long list must not make thousands of receipts. */
const MAX_VALUES = 1_000;
/**
 * Maximum characters that an expression searches, and instructions of its program. RE2 takes time in proportion to both: 30 ms
 * for the slowest expression within these limits.
 */
const MAX_SEARCHED = 4_096;
const MAX_PROGRAM = 250;
const MAX_EXPRESSION = 200;

/** Reads values of an answer or a request: texts, numbers and booleans as texts; nothing for other values. */
export type Locator = (document: CarrierDocument) => string[];

/**
 * Compiles a locator: `/messages/0/id` (a JSON Pointer, in which `*` is every element), `form:id`, `xml:result/id`
 * (`*` is any element, `@name` an attribute), `header:name`, or `re2:expression` (its first group, or the whole match).
 *
 * @throws DescriptionError
 */
export function compileLocator(text: string): Locator {
  if (text === '' || text.startsWith('/')) {
    const steps = pointerSteps(text);
    return (document) => valuesAt(document.json, steps).flatMap(textOf);
  }
  const [kind, rest] = splitOnce(text);
  if (rest === '' && text.includes(':'))
    throw new DescriptionError(`"${text.slice(0, 60)}" names nothing after the colon`);
  switch (kind) {
    case 'form':
      return (document) => document.fields(rest).slice(0, MAX_VALUES);
    case 'header': {
      const name = rest.toLowerCase();
      return (document) => document.header(name);
    }
    case 'xml': {
      const steps = rest.split('/');
      return (document) => (document.xml ? xmlValues(document.xml, steps) : []);
    }
    case 're2': {
      const expression = compileExpression(rest);
      return (document) => {
        const found = expression.matcher(document.body.slice(0, MAX_SEARCHED));
        if (!found.find()) return [];
        return [found.group(expression.groupCount() > 0 ? 1 : 0) ?? ''];
      };
    }
    default:
      throw new DescriptionError(
        `"${text.slice(0, 60)}" is no locator: use a JSON Pointer (/a/b), form:, xml:, header: or re2:`,
      );
  }
}

/** Returns the JSON values at a pointer, for items of a list. An empty pointer is the whole body. */
export function itemsAt(document: CarrierDocument, pointer: string): unknown[] {
  return valuesAt(document.json, pointerSteps(pointer));
}

/**
 * Compiles an RE2 expression.
 *
 * @throws DescriptionError
 */
export function compileExpression(text: string): RE2JS {
  if (text.length > MAX_EXPRESSION)
    throw new DescriptionError(`an expression has more than ${MAX_EXPRESSION} characters`);
  const expression = compiled(text);
  if (expression.programSize() > MAX_PROGRAM)
    throw new DescriptionError(`"${text.slice(0, 60)}" has too many repetitions`);
  return expression;
}

function compiled(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    throw new DescriptionError(`"${text.slice(0, 60)}" is no RE2 expression: ${(error as Error).message}`);
  }
}

/**
 * Parses a JSON Pointer (RFC 6901).
 *
 * @throws DescriptionError
 */
export function pointerSteps(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new DescriptionError(`"${pointer.slice(0, 60)}" is no JSON Pointer`);
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valuesAt(root: unknown, steps: readonly string[]): unknown[] {
  let found: unknown[] = root === undefined ? [] : [root];
  for (const step of steps) {
    found = found.flatMap((value): unknown[] => {
      if (typeof value !== 'object' || value === null) return [];
      if (step === '*') return Object.values(value);
      return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
    });
    if (found.length > MAX_VALUES) found = found.slice(0, MAX_VALUES);
  }
  return found;
}

function textOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

function xmlValues(root: XmlElement, steps: readonly string[]): string[] {
  const [first, ...rest] = steps;
  let found: XmlElement[] = first === '*' || first === root.name ? [root] : [];
  for (const [index, step] of rest.entries()) {
    if (step.startsWith('@')) {
      const name = step.slice(1);
      const isLast = index === rest.length - 1;
      return isLast ? found.flatMap(({ attributes }) => attributes[name] ?? []) : [];
    }
    found = found.flatMap(({ children }) => children.filter(({ name }) => step === '*' || name === step));
    if (found.length > MAX_VALUES) found = found.slice(0, MAX_VALUES);
  }
  return found.map(({ text }) => text.trim());
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
