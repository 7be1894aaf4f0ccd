import { CODE_LENGTH } from '../links/code-cipher.ts';
import type { Code, Links, PlannedCode, PlannedLink } from '../links/links.ts';
import type { RequestedLink } from '../links/requested-links.ts';
import { type Language, languageOf } from '../text/language.ts';

/** What is written anew for each recipient: a text with short links, dynamic fields, or a removal link. */
export interface TextTemplate {
  readonly text: string;
  /** In the text as `[link-<key>]`. */
  readonly links: readonly RequestedLink[];
  /** Whether `[DYNAMIC_FIELD1]` to `6` stand for fields of the contact (interface, B1 `add_dynamic`). */
  readonly dynamic: boolean;
  /** Whether a removal link is appended (interface, B1 `add_unsubscribe` 3). */
  readonly removal: boolean;
}

/** What a contact's fields df1 to df6 are; fewer, or null, for those that it does not have. */
type Fields = readonly (string | null)[];

/** A text longer than this after composing (30 parts) is sent to nobody: some field was not meant for it. */
export const MAX_COMPOSED = 2_000;

const placeholders = /\[link-([^[\]]+)\]|\[DYNAMIC_FIELD([1-6])\]/g;
/** What stands before a removal link. */
const before: Readonly<Record<Language, string>> = {
  he: '\nלהסרה: ',
  en: '\nUnsubscribe: ',
  ar: '\nلإلغاء الاشتراك: ',
  ru: '\nОтписаться: ',
};

type Piece = string | { readonly field: number } | { readonly address: number };

/**
 * A text template, read once and written for many. What a contact's field says is written as it is: a field cannot
 * bring a placeholder of its own.
 */
export class TextRenderer {
  readonly language: Language;
  /** Codes that each recipient needs: one for each link, then that of the removal link. */
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

  /** The text for one recipient, with their `codesEach` codes. */
  write(links: Links, fields: Fields, codes: readonly Pick<Code, 'text'>[]): string {
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

/** The text that a recipient with these fields would get, with other codes as long as theirs: to count its parts. */
export function writeExample(renderer: TextRenderer, links: Links, fields: Fields): string {
  return renderer.write(
    links,
    fields,
    Array.from({ length: renderer.codesEach }, () => example),
  );
}

/** Writes the texts of one shipment, and keeps what has to be stored with them: its links and each recipient's codes. */
export class ShipmentRenderer {
  readonly links: PlannedLink[] = [];
  readonly codes: PlannedCode[] = [];
  readonly #linkStore: Links;
  readonly #shipmentId: number;
  readonly #taken: readonly Code[];
  #next = 0;
  readonly #known = new Map<TextTemplate, { renderer: TextRenderer; links: readonly PlannedLink[] }>();

  /** `taken` are codes enough for all that will be written (Links.codesFor). */
  constructor(linkStore: Links, shipmentId: number, taken: readonly Code[]) {
    this.#linkStore = linkStore;
    this.#shipmentId = shipmentId;
    this.#taken = taken;
  }

  /** Takes links of a text template that are stored already. */
  know(template: TextTemplate, links: readonly PlannedLink[]): void {
    this.#known.set(template, { renderer: new TextRenderer(template), links });
  }

  /** The links of a text template with their ids; new ones when it is asked for the first time. */
  linksOf(template: TextTemplate): readonly PlannedLink[] {
    return this.#of(template).links;
  }

  /** The text for the recipient of a message. */
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
