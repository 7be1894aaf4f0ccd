import { CODE_LENGTH } from '../links/code-cipher.ts';
import type { Code, Links, PlannedCode, PlannedLink } from '../links/links.ts';
import type { RequestedLink } from '../links/requested-links.ts';
import { type Language, languageOf } from '../text/language.ts';

/** What is written anew for each recipient: a text with short links, dynamic fields, or a removal link. */
export interface Wording {
  readonly text: string;
  /** In the text as `[link-<key>]`. */
  readonly links: readonly RequestedLink[];
  /** Whether `[DYNAMIC_FIELD1]` to `6` stand for fields of the contact (interface, B1 `add_dynamic`). */
  readonly dynamic: boolean;
  /** Whether a removal link is appended (interface, B1 `add_unsubscribe` 3). */
  readonly removal: boolean;
}

/** What a contact's fields df1 to df6 are; fewer, or null, for those that it does not have. */
export type Fields = readonly (string | null)[];

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
 * A wording, read once and written for many. What a contact's field says is written as it is: a field cannot bring a
 * placeholder of its own.
 */
export class Composer {
  readonly language: Language;
  /** Codes that each recipient needs: one for each link, then that of the removal link. */
  readonly codesEach: number;
  readonly #links: number;
  readonly #pieces: readonly Piece[];

  constructor(wording: Wording) {
    const { text, links, dynamic, removal } = wording;
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

  /** The text for one recipient, with his `codesEach` codes. */
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

/** The text that a recipient with these fields would get, with other codes as long as his: to count its parts. */
export function writeExample(composer: Composer, links: Links, fields: Fields): string {
  return composer.write(
    links,
    fields,
    Array.from({ length: composer.codesEach }, () => example),
  );
}

/** Writes the texts of one shipment, and keeps what has to be stored with them: its links and each recipient's codes. */
export class Composition {
  readonly links: PlannedLink[] = [];
  readonly codes: PlannedCode[] = [];
  readonly #linkStore: Links;
  readonly #shipmentId: number;
  readonly #taken: readonly Code[];
  #next = 0;
  readonly #known = new Map<Wording, { composer: Composer; links: readonly PlannedLink[] }>();

  /** `taken` are codes enough for all that will be written (Links.codesFor). */
  constructor(linkStore: Links, shipmentId: number, taken: readonly Code[]) {
    this.#linkStore = linkStore;
    this.#shipmentId = shipmentId;
    this.#taken = taken;
  }

  /** Takes links of a wording that are stored already. */
  know(wording: Wording, links: readonly PlannedLink[]): void {
    this.#known.set(wording, { composer: new Composer(wording), links });
  }

  /** The links of a wording with their ids; new ones when it is asked for the first time. */
  linksOf(wording: Wording): readonly PlannedLink[] {
    return this.#of(wording).links;
  }

  /** The text for the recipient of a message. */
  write(wording: Wording, messageId: number, fields: Fields): string {
    const { composer, links } = this.#of(wording);
    const codes = this.#taken.slice(this.#next, this.#next + composer.codesEach);
    this.#next += composer.codesEach;
    for (const [index, code] of codes.entries()) {
      this.codes.push({
        code,
        shipmentId: this.#shipmentId,
        messageId,
        linkId: links[index]?.id ?? null,
        language: composer.language,
      });
    }
    return composer.write(this.#linkStore, fields, codes);
  }

  #of(wording: Wording) {
    let known = this.#known.get(wording);
    if (!known) {
      const links = this.#linkStore.plan(this.#shipmentId, wording.links);
      this.links.push(...links);
      known = { composer: new Composer(wording), links };
      this.#known.set(wording, known);
    }
    return known;
  }
}
