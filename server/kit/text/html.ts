const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]));

/** Escapes a text for HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

/** Reverses `escapeHtml`. */
export function unescapeHtml(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity)!);
}

/** An attribute with a value. */
export interface HtmlAttribute {
  /** In lower case. */
  readonly name: string;
  /** Position of the value in the HTML, quotes included. */
  readonly from: number;
  readonly to: number;
  /** Without quotes, not unescaped. */
  readonly value: string;
}

/** A start tag. */
export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  readonly from: number;
  /** End of its last attribute. */
  readonly to: number;
  readonly attributes: readonly HtmlAttribute[];
}

const opening = /<([a-z][a-z0-9]*)(?=[\s/>])/gi;
const attribute = /[\s/]*([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/y;

/** Yields the start tags of HTML in order, also of invalid HTML. Reads each character only a few times. */
export function* tagsOf(html: string): Generator<HtmlTag> {
  const open = new RegExp(opening);
  const part = new RegExp(attribute);
  for (let start = open.exec(html); start; start = open.exec(html)) {
    const attributes: HtmlAttribute[] = [];
    part.lastIndex = open.lastIndex;
    let to = open.lastIndex;
    for (let found = part.exec(html); found; found = part.exec(html)) {
      to = part.lastIndex;
      const [, name, value] = found;
      if (value === undefined) continue;
      attributes.push({
        name: name!.toLowerCase(),
        from: to - value.length,
        to,
        value: /^["']/.test(value) ? value.slice(1, -1) : value,
      });
    }
    yield { name: start[1]!.toLowerCase(), from: start.index, to, attributes };
    open.lastIndex = to;
  }
}
