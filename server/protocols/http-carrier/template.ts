/*
 * Templates of a description: texts with placeholders from a closed list. The place of a template decides how its values are
 * escaped, so no value can add a parameter, a header or a member.
 */

/** A fault of a description, with what to change. */
export class DescriptionError extends Error {}

/** A JSON value whose texts are templates. */
export type JsonTemplate =
  | string
  | number
  | boolean
  | null
  | readonly JsonTemplate[]
  | { readonly [name: string]: JsonTemplate };

/** Where the text of a template is used. */
export type TemplatePlace = 'path' | 'query' | 'form' | 'json' | 'xml' | 'header' | 'plain';

/** Placeholders other than `{secret.…}`. */
export const placeholderNames = [
  'to.plus',
  'to.digits',
  'to.national',
  'from',
  'from.plus',
  'from.number',
  'from.name',
  'text',
  'text.hex',
  'text.xml',
  'id',
  'send.validity',
  'dlt.entity',
  'dlt.template',
  'origin',
  'language',
  'gender',
  'repeat',
] as const;
/** Placeholders of calls only. */
export const callNames: readonly PlaceholderName[] = ['language', 'gender', 'repeat'];
/** Placeholders of requests that ask for reports and incoming messages. */
export const pollNames = ['cursor', 'ids'] as const;
export type PlaceholderName = (typeof placeholderNames)[number] | (typeof pollNames)[number];

/** Returns the value of a placeholder; of a secret by its name after `secret.`. */
export interface TemplateValues {
  valueOf(name: PlaceholderName): string;
  secretOf(name: string): string;
}

/** Placeholders whose value is a number, so a JSON text that consists of one is a JSON number. */
const numeric: ReadonlySet<string> = new Set<PlaceholderName>(['send.validity', 'repeat']);

type Part = { readonly literal: string } | { readonly name: PlaceholderName } | { readonly secret: string };

const PLACEHOLDER = /\{([^{}]*)\}/g;
const SECRET = /^secret\.([a-zA-Z][a-zA-Z0-9]{0,39})$/;

const xmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Returns the texts in a JSON value, at any depth. */
export function textsOfJson(value: JsonTemplate | object): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOfJson) : [];
}

/** Returns a text escaped for XML. */
export const xmlText = (text: string): string =>
  text.toWellFormed().replace(/[&<>"']/g, (character) => xmlEscapes[character]!);

/** A text with placeholders. */
export class Template {
  readonly #parts: readonly Part[];
  readonly #place: TemplatePlace;
  /** Names of the secrets that it contains. */
  readonly secrets: readonly string[];
  /** Names of the other placeholders. */
  readonly names: readonly PlaceholderName[];
  /** Whether it consists of one placeholder whose value is a number, or a list of texts with commas between them. */
  readonly isNumeric: boolean;
  readonly isList: boolean;

  /** @throws DescriptionError for an unknown placeholder */
  constructor(text: string, place: TemplatePlace) {
    this.#parts = partsOf(text);
    this.#place = place;
    this.secrets = this.#parts.flatMap((part) => ('secret' in part ? [part.secret] : []));
    this.names = this.#parts.flatMap((part) => ('name' in part ? [part.name] : []));
    const [only] = this.#parts;
    const alone = this.#parts.length === 1 && only && 'name' in only ? only.name : undefined;
    this.isNumeric = alone !== undefined && numeric.has(alone);
    this.isList = alone === 'ids';
  }

  /**
   * Returns the text with the values in it, escaped for its place.
   *
   * @throws DescriptionError for a header value with a line break or another control character
   */
  render(values: TemplateValues): string {
    return this.#parts
      .map((part) => {
        // A field of a form or query can contain any text; the other places have literals in their own form.
        if ('literal' in part) return isField(this.#place) ? formText(part.literal) : part.literal;
        return escaped(
          'secret' in part ? values.secretOf(part.secret) : values.valueOf(part.name),
          this.#place,
        );
      })
      .join('');
  }

  /** Whether it has placeholders, and all of them are empty: such a member, field or header is left out. */
  isEmpty(values: TemplateValues): boolean {
    let hasPlaceholder = false;
    for (const part of this.#parts) {
      if ('literal' in part) continue;
      hasPlaceholder = true;
      const value = 'secret' in part ? values.secretOf(part.secret) : values.valueOf(part.name);
      if (value !== '') return false;
    }
    return hasPlaceholder;
  }
}

const isField = (place: TemplatePlace) => place === 'form' || place === 'query';

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const literal = (piece: string) => {
    if (/[{}]/.test(piece)) throw new DescriptionError(`a single brace in "${text.slice(0, 60)}"`);
    if (piece !== '') parts.push({ literal: piece });
  };
  for (const match of text.matchAll(PLACEHOLDER)) {
    literal(text.slice(at, match.index));
    parts.push(placeholderOf(match[1]!));
    at = match.index + match[0].length;
  }
  literal(text.slice(at));
  return parts;
}

function placeholderOf(name: string): Part {
  const secret = SECRET.exec(name)?.[1];
  if (secret !== undefined) return { secret };
  const known = [...placeholderNames, ...pollNames].find((one) => one === name);
  if (known) return { name: known };
  const list = placeholderNames.map((one) => `{${one}}`).join(', ');
  throw new DescriptionError(`unknown placeholder {${name.slice(0, 60)}}; use one of ${list}, {secret.name}`);
}

function escaped(value: string, place: TemplatePlace): string {
  switch (place) {
    case 'path':
      // A value of only dots would be removed from the path by URL parsers.
      return encodeURIComponent(value).replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%2E'));
    case 'query':
    case 'form':
      return formText(value);
    case 'xml':
      return xmlText(value);
    case 'header':
      if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
        throw new DescriptionError('a value of a header has characters that headers cannot have');
      return value;
    // JSON.stringify escapes the whole member, and other code uses the plain text.
    case 'json':
    case 'plain':
      return value;
  }
}

/** Escapes a text as a name or value of a form or query. */
export const formText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
