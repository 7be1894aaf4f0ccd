import type { Form } from './wire-error.ts';

/** A value in a response. Undefined fields are omitted; null is an empty element in XML. */
export type AnswerValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly AnswerValue[]
  | AnswerFields;

/** The fields of a response or of one of its rows, in the order of writing. */
export interface AnswerFields {
  readonly [field: string]: AnswerValue;
}

/**
 * The root element of an XML response to a body whose root could not be read. A root that was read is a
 * well-formed name and safe to return.
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
 * Writes a response: one flat JSON object, or an XML document (decisions, "Form of the answer"). An array in
 * XML is an element with one child element per entry: `<errors><error>…</error></errors>`.
 *
 * @param root the request's root element, or `unknownRoot`; JSON has none
 */
export function encode(form: Form, root: string, answer: AnswerFields): string {
  if (form === 'json') return JSON.stringify(answer);
  return `${declaration}<${root}>${xmlFields(answer)}</${root}>`;
}

/** Returns the elements of a response or a row. */
function xmlFields(fields: AnswerFields): string {
  let xml = '';
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) xml += xmlElement(name, value);
  }
  return xml;
}

/** Returns an element. Does not check the name, because names of fields are ours. */
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

/** Returns the element name for an entry of an array field; `item` for a field that is not in the list. */
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
// XML parsers read a bare carriage return as a line feed (XML 1.0, 2.11).
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** Escapes a text as character data; drops characters that XML 1.0 cannot contain (2.2). */
export function escapeXml(text: string): string {
  return needsWork.test(text) ? text.replace(special, (found) => references[found] ?? '') : text;
}
