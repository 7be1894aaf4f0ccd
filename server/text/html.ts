const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]));

/** A text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

/** What `escapeHtml` made of a text, as it was. */
export function unescapeHtml(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity)!);
}

/** An attribute of a tag that has a value. */
export interface HtmlAttribute {
  /** In lower case. */
  readonly name: string;
  /** Where the value is in the HTML, quotes included. */
  readonly from: number;
  readonly to: number;
  /** Without quotes, as it is written. */
  readonly value: string;
}

/** A start tag. */
export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  readonly from: number;
  /** Behind its last attribute. */
  readonly to: number;
  readonly attributes: readonly HtmlAttribute[];
}

const opening = /<([a-z][a-z0-9]*)(?=[\s/>])/gi;
const attribute = /[\s/]*([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/y;

/** The start tags of HTML in their order, however it is written. Looks at each character a few times at most. */
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
