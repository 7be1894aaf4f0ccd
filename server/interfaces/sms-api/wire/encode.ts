import type { Form } from './wire-error.ts';

/** A value in an answer. Undefined fields are left out; null is an empty element in XML. */
export type AnswerValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly AnswerValue[]
  | AnswerFields;

/** The fields of an answer, or of one row in it, in the order in which they are written. */
export interface AnswerFields {
  readonly [field: string]: AnswerValue;
}

/**
 * The root element of an XML answer to a body whose own root is not known, since it could not be read.
 * A root that was read is a well-formed name and safe to give back.
 */
export const unknownRoot = 'response';

export const contentTypes: Readonly<Record<Form, string>> = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The element around each entry of an array (interface, B6: "an array of `identifier` in XML"). */
const singular: ReadonlyMap<string, string> = new Map([
  ['transactions', 'transaction'],
  ['identifiers', 'identifier'],
  ['errors', 'error'],
  ['contact_lists', 'contact_list'],
  ['balances', 'balance'],
  ['verified_phones', 'verified_phone'],
]);

/**
 * Writes an answer: one flat JSON object, or an XML document (decisions, "Form of the answer"). An array is
 * in XML one element with an element per entry in it: `<errors><error>…</error></errors>`.
 *
 * @param root the request's root element, or `unknownRoot`; JSON has none
 */
export function encode(form: Form, root: string, answer: AnswerFields): string {
  if (form === 'json') return JSON.stringify(answer);
  return `${declaration}<${root}>${xmlFields(answer)}</${root}>`;
}

/** The elements of an answer or of a row. */
function xmlFields(fields: AnswerFields): string {
  let xml = '';
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) xml += xmlElement(name, value);
  }
  return xml;
}

/** One element. The name is not checked: names of fields are ours. */
export function xmlElement(name: string, value: AnswerValue): string {
  if (typeof value === 'string') return `<${name}>${escapeXml(value)}</${name}>`;
  if (value === null || value === undefined) return `<${name}></${name}>`;
  if (typeof value !== 'object') return `<${name}>${value}</${name}>`;
  if (!isArray(value)) return `<${name}>${xmlFields(value)}</${name}>`;
  const entry = entryName(name);
  let xml = `<${name}>`;
  for (const item of value) xml += xmlElement(entry, item);
  return `${xml}</${name}>`;
}

/** Name of the element for one entry of an array field; `item` for a field that is not in the list. */
export function entryName(field: string): string {
  return singular.get(field) ?? 'item';
}

// `Array.isArray` does not narrow readonly arrays.
function isArray(value: readonly AnswerValue[] | AnswerFields): value is readonly AnswerValue[] {
  return Array.isArray(value);
}

// Any half of a surrogate pair takes the slow way, which keeps the whole pairs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
const needsWork = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;
const special = /[&<>\r]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
// A bare carriage return would be read as a line feed (XML 1.0, 2.11).
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** Character data for a text; characters that XML 1.0 cannot hold (2.2) are left out. */
export function escapeXml(text: string): string {
  return needsWork.test(text) ? text.replace(special, (found) => references[found] ?? '') : text;
}
