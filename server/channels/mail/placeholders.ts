import { escapeHtml, type HtmlAttribute, type HtmlTag, tagsOf, unescapeHtml } from '../../text/html.ts';

/*
 * What is put in the place of `{{name}}`, or of `{{name|there}}` where there is no name. Nothing is evaluated: a value is
 * text, and is written so that it stays text wherever it stands.
 */

/** A piece of a text: as it is, a field, or the address of a link that is counted. */
type Piece =
  | string
  | { readonly field: string; readonly otherwise: string; readonly write: Writer }
  | { readonly link: number; readonly html: string };

type Writer = (value: string) => string;

/** The value of a field by its name in lower case; '' or undefined: there is none. */
export type Values = (name: string) => string | undefined;

/** A text with placeholders, read once and written for each recipient. */
export interface Compiled {
  readonly pieces: readonly Piece[];
  /** Names of its fields, in lower case. */
  readonly fields: ReadonlySet<string>;
}

const placeholder = /\{\{([^{}|\r\n]{1,200})(?:\|([^{}\r\n]{0,200}))?\}\}/g;
/** Characters of a field's name, without blanks around. */
const MAX_NAME = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A text without fields, whatever it looks like. */
export const uncompiled = (text: string): Compiled => ({ pieces: [text], fields: new Set() });

/** Reads a text for a header: values cannot begin another line. */
export function compileHeader(text: string): Compiled {
  const write: Writer = (value) => value.replace(controls, ' ');
  return assemble(
    text,
    fieldsOf(text, () => write),
  );
}

/** Reads plain text. */
export function compileText(text: string): Compiled {
  return assemble(
    text,
    fieldsOf(text, () => (value) => value),
  );
}

/**
 * Reads HTML. Values are escaped; in an address they are percent-encoded, and the whole of an address they can only be
 * when they are of http or https. `links` (of `linksOf`) are counted: each can get another address.
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

/** The addresses of http and https that links of HTML lead to, without those that have fields, each once, in order. */
export function linksOf(html: string): string[] {
  const found = [...tagsOf(html)].flatMap((tag) => hrefOf(tag) ?? []).map(({ value }) => addressIn(value));
  return [...new Set(found.filter(isWeb))];
}

/** What a recipient has in the place of fields and of links that are counted. */
export interface Own {
  readonly values: Values;
  /** The address of the n-th link (from 0). */
  readonly linkTo: (index: number) => string;
}

/** The stretches of a text in their order: as they are, or what a recipient has there. */
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

/** Writes a text for one recipient. `linkTo` makes the address of the n-th link (from 0); null: they are not counted. */
export function write(compiled: Compiled, values: Values, linkTo: Own['linkTo'] | null = null): string {
  const own = { values, linkTo: linkTo ?? String };
  let text = '';
  for (const stretch of stretchesOf(compiled, linkTo !== null)) {
    text += typeof stretch === 'string' ? stretch : stretch(own);
  }
  return text;
}

/** A stretch of a text with what it is a place for. */
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

/** How a value is written at each place of HTML with these tags; to be asked for one place after the other. */
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
/** Where there are no quotes around, white space would begin an attribute. */
const escapeInTag: Writer = (value) =>
  escapeHtml(value).replace(/[\s=`]/g, (character) => `&#${character.charCodeAt(0)};`);

const isWeb = (url: string): boolean => /^https?:\/\/[^\s<>"'`{}]+$/i.test(url) && URL.canParse(url);
const addressIn = (value: string): string => unescapeHtml(value.trim());

function hrefOf({ name, attributes }: HtmlTag): HtmlAttribute | undefined {
  return name === 'a' || name === 'area' ? attributes.find((one) => one.name === 'href') : undefined;
}
