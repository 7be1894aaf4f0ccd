import { escapeHtml, type HtmlAttribute, type HtmlTag, tagsOf, unescapeHtml } from '../../kit/text/html.ts';

/*
 * Replacement of `{{name}}`, or of `{{name|there}}` if the name is missing. Nothing is evaluated: a value is text, and
 * is escaped for its position.
 */

/** A piece of a text: constant, a field, or the address of a counted link. */
type Piece =
  | string
  | { readonly field: string; readonly otherwise: string; readonly write: Writer }
  | { readonly link: number; readonly html: string };

type Writer = (value: string) => string;

/** Returns the value of a field by its lower-case name; '' or undefined without a value. */
export type Values = (name: string) => string | undefined;

/** A text with placeholders, compiled once and written for each recipient. */
export interface Compiled {
  readonly pieces: readonly Piece[];
  /** Names of its fields, in lower case. */
  readonly fields: ReadonlySet<string>;
}

const placeholder = /\{\{([^{}|\r\n]{1,200})(?:\|([^{}\r\n]{0,200}))?\}\}/g;
/** Maximum characters of a field's name, without surrounding spaces. */
const MAX_NAME = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Returns a text without replacing placeholders. */
export const uncompiled = (text: string): Compiled => ({ pieces: [text], fields: new Set() });

/** Compiles a text for a header: values cannot begin another line. */
export function compileHeader(text: string): Compiled {
  const write: Writer = (value) => value.replace(controls, ' ');
  return assemble(
    text,
    fieldsOf(text, () => write),
  );
}

/** Compiles plain text. */
export function compileText(text: string): Compiled {
  return assemble(
    text,
    fieldsOf(text, () => (value) => value),
  );
}

/**
 * Compiles HTML. Values are escaped; within an address they are percent-encoded, and a value may be a whole address
 * only with http or https. `links` (of `linksOf`) are counted: each can get another address.
 */
export function compileHtml(html: string, links: readonly string[]): Compiled {
  const tags = [...tagsOf(html)];
  const numberOf = new Map(links.map((url, index) => [url, index]));
  const counted = tags.flatMap((tag): Cut[] => {
    const href = hrefOf(tag);
    const link = href && numberOf.get(addressIn(href.value));
    if (link === undefined) return [];
    const { from, to } = href!;
    return [{ from, to, piece: { link, html: html.slice(from, to) } }];
  });
  const cuts = [...counted, ...fieldsOf(html, writerIn(tags))].sort((a, b) => a.from - b.from);
  return assemble(html, cuts);
}

/** Returns the distinct http and https addresses of links in HTML, without those that contain fields, in order. */
export function linksOf(html: string): string[] {
  const found = [...tagsOf(html)].flatMap((tag) => hrefOf(tag) ?? []).map(({ value }) => addressIn(value));
  return [...new Set(found.filter(isWeb))];
}

/** A recipient's values for fields and counted links. */
export interface Own {
  readonly values: Values;
  /** Returns the address of the n-th link (from 0). */
  readonly linkTo: (index: number) => string;
}

/** Returns the pieces of a text in order: constant, or functions of the recipient. */
export function stretchesOf(
  { pieces }: Compiled,
  areLinksCounted: boolean,
): (string | ((own: Own) => string))[] {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    if ('field' in piece) {
      const { field, otherwise, write } = piece;
      return ({ values }: Own) => write(values(field) || otherwise);
    }
    const { link, html } = piece;
    return areLinksCounted ? ({ linkTo }: Own) => `"${escapeHtml(linkTo(link))}"` : html;
  });
}

/**
 * Writes a text for one recipient. `linkTo` returns the address of the n-th link (from 0); null: links are not counted.
 */
export function write(compiled: Compiled, values: Values, linkTo: Own['linkTo'] | null = null): string {
  const own = { values, linkTo: linkTo ?? String };
  let text = '';
  for (const stretch of stretchesOf(compiled, linkTo !== null)) {
    text += typeof stretch === 'string' ? stretch : stretch(own);
  }
  return text;
}

/** A range of a text with its replacement. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly piece: Exclude<Piece, string>;
}

function fieldsOf(text: string, writerAt: (at: number) => Writer): Cut[] {
  const found = [...text.matchAll(placeholder)].filter(([, name]) => name!.trim().length <= MAX_NAME);
  return found.map(({ index: from, 0: whole, 1: name, 2: otherwise = '' }) => ({
    from,
    to: from + whole.length,
    piece: { field: name!.trim().toLowerCase(), otherwise, write: writerAt(from) },
  }));
}

function assemble(text: string, cuts: readonly Cut[]): Compiled {
  const pieces: Piece[] = [];
  const fields = new Set<string>();
  let end = 0;
  for (const { from, to, piece } of cuts) {
    if (from > end) pieces.push(text.slice(end, from));
    pieces.push(piece);
    if ('field' in piece) fields.add(piece.field);
    end = to;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return { pieces, fields };
}

/**
 * Returns how a value is written at a position of HTML with these tags. Positions must be requested in ascending order.
 */
function writerIn(tags: readonly HtmlTag[]): (at: number) => Writer {
  let tag = 0;
  let attribute = 0;
  return (at) => {
    for (; tag < tags.length && tags[tag]!.to <= at; tag++) attribute = 0;
    if (tag === tags.length || at < tags[tag]!.from) return escapeHtml;
    const { attributes } = tags[tag]!;
    while (attribute < attributes.length && attributes[attribute]!.to <= at) attribute++;
    const { name, from } = attributes[attribute] ?? { name: '', from: Number.POSITIVE_INFINITY };
    if (at < from || !addresses.has(name)) return escapeInTag;
    return at - from <= 1 ? wholeAddress : encode;
  };
}

/** Attributes whose values are addresses (HTML, "Attributes"). */
const addresses = new Set([
  'href',
  'src',
  'srcset',
  'action',
  'formaction',
  'background',
  'poster',
  'cite',
  'data',
  'xlink:href',
]);

const encode: Writer = (value) => encodeURIComponent(value.toWellFormed());
const wholeAddress: Writer = (value) => (isWeb(value) ? escapeHtml(value) : '');
/** Outside quotes, white space would begin an attribute. */
const escapeInTag: Writer = (value) =>
  escapeHtml(value).replace(/[\s=`]/g, (character) => `&#${character.charCodeAt(0)};`);

const isWeb = (url: string): boolean => /^https?:\/\/[^\s<>"'`{}]+$/i.test(url) && URL.canParse(url);
const addressIn = (value: string): string => unescapeHtml(value.trim());

function hrefOf({ name, attributes }: HtmlTag): HtmlAttribute | undefined {
  return name === 'a' || name === 'area' ? attributes.find((one) => one.name === 'href') : undefined;
}
