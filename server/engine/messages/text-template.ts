import { type Language, languageOf } from '../../kit/text/language.ts';
import { CODE_LENGTH } from '../links/code-cipher.ts';
import type { RequestedLink } from '../links/requested-links.ts';
import type { Code, PlannedCode, PlannedLink, ShortLinks } from '../links/short-links.ts';

/** A text that is rendered for each recipient: with short links, dynamic fields, or a removal link. */
export interface TextTemplate {
  readonly text: string;
  /** Written in the text as `[link-<key>]`. */
  readonly links: readonly RequestedLink[];
  /** Whether `[DYNAMIC_FIELD1]` to `6` are placeholders for fields of the contact (interface, B1 `add_dynamic`). */
  readonly dynamic: boolean;
  /** Whether to append a removal link (interface, B1 `add_unsubscribe` 3). */
  readonly removal: boolean;
}

/** A contact's fields df1 to df6; missing ones are null or absent. */
type Fields = readonly (string | null)[];

/**
 * Maximum characters after rendering (30 parts). A longer text is not sent, since a field with such a content was not
 * meant for it.
 */
export const MAX_COMPOSED = 2_000;

const placeholders = /\[link-([^[\]]+)\]|\[DYNAMIC_FIELD([1-6])\]/g;
/** Text before a removal link. */
const before: Readonly<Record<Language, string>> = {
  he: '\nלהסרה: ',
  en: '\nUnsubscribe: ',
  ar: '\nلإلغاء الاشتراك: ',
  ru: '\nОтписаться: ',
};

type Piece = string | { readonly field: number } | { readonly address: number };

/**
 * A text template, parsed once and rendered for many recipients. Values of fields are inserted literally, so they
 * cannot contain placeholders.
 */
export class TextRenderer {
  readonly language: Language;
  /** Number of codes per recipient: one for each link, then one for the removal link. */
  readonly codesEach: number;
  readonly #links: number;
  readonly #pieces: readonly Piece[];

  constructor(template: TextTemplate) {
    const { text, links, dynamic, removal } = template;
    this.language = languageOf(text);
    this.#links = links.length;
    this.codesEach = links.length + (removal ? 1 : 0);
    const addressOf = new Map(links.map(({ key }, index) => [key, index]));
    const pieces: Piece[] = [];
    let at = 0;
    for (const match of text.matchAll(placeholders)) {
      const [whole, key, field] = match;
      const address = key === undefined ? undefined : addressOf.get(key);
      if (address === undefined && !(dynamic && field !== undefined)) continue;
      pieces.push(text.slice(at, match.index));
      pieces.push(address === undefined ? { field: Number(field) - 1 } : { address });
      at = match.index + whole.length;
    }
    pieces.push(text.slice(at));
    if (removal) pieces.push(before[this.language], { address: links.length });
    this.#pieces = pieces;
  }

  /** Renders the text for one recipient, with their `codesEach` codes. */
  write(links: ShortLinks, fields: Fields, codes: readonly Pick<Code, 'text'>[]): string {
    let text = '';
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') text += piece;
      else if ('field' in piece) text += fields[piece.field] ?? '';
      else if (piece.address < this.#links) text += links.linkText(codes[piece.address]!);
      else text += links.removalText(codes[piece.address]!);
    }
    return text;
  }
}

const example: Pick<Code, 'text'> = { text: 'x'.repeat(CODE_LENGTH) };

/**
 * Renders the text for a recipient with these fields, with example codes of the real length, for counting its parts.
 */
export function writeExample(renderer: TextRenderer, links: ShortLinks, fields: Fields): string {
  return renderer.write(
    links,
    fields,
    Array.from({ length: renderer.codesEach }, () => example),
  );
}

/**
 * Renders the texts of one shipment, and collects what must be stored with them: its links and each recipient's codes.
 */
export class ShipmentRenderer {
  readonly links: PlannedLink[] = [];
  readonly codes: PlannedCode[] = [];
  readonly #linkStore: ShortLinks;
  readonly #shipmentId: number;
  readonly #taken: readonly Code[];
  #next = 0;
  readonly #known = new Map<TextTemplate, { renderer: TextRenderer; links: readonly PlannedLink[] }>();

  /** @param taken enough codes for all texts (ShortLinks.codesFor) */
  constructor(linkStore: ShortLinks, shipmentId: number, taken: readonly Code[]) {
    this.#linkStore = linkStore;
    this.#shipmentId = shipmentId;
    this.#taken = taken;
  }

  /** Registers the stored links of a text template. */
  know(template: TextTemplate, links: readonly PlannedLink[]): void {
    this.#known.set(template, { renderer: new TextRenderer(template), links });
  }

  /** Returns the links of a text template with their ids; creates them at the first call. */
  linksOf(template: TextTemplate): readonly PlannedLink[] {
    return this.#of(template).links;
  }

  /** Renders the text for the recipient of a message. */
  write(template: TextTemplate, messageId: number, fields: Fields): string {
    const { renderer, links } = this.#of(template);
    const codes = this.#taken.slice(this.#next, this.#next + renderer.codesEach);
    this.#next += renderer.codesEach;
    for (const [index, code] of codes.entries()) {
      this.codes.push({
        code,
        shipmentId: this.#shipmentId,
        messageId,
        linkId: links[index]?.id ?? null,
        language: renderer.language,
      });
    }
    return renderer.write(this.#linkStore, fields, codes);
  }

  #of(template: TextTemplate) {
    let known = this.#known.get(template);
    if (!known) {
      const links = this.#linkStore.plan(this.#shipmentId, template.links);
      this.links.push(...links);
      known = { renderer: new TextRenderer(template), links };
      this.#known.set(template, known);
    }
    return known;
  }
}
