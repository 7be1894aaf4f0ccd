import { type AnswerFields, declaration, encode, escapeXml } from './encode.ts';

/*
 * XML examples for people, generated from the JSON examples so that both match. `decode` turns an example request back
 * into its source.
 */

/**
 * Returns a request in XML (decisions, "XML mapping").
 *
 * @param content as in JSON: attributes under `$`, text under `_`, an array for a repeated element
 */
export function xmlRequest(root: string, content: Readonly<Record<string, unknown>>): string {
  return indent(declaration + element(root, content));
}

/** Returns a response of `encode` with one element per line. */
export function xmlAnswer(root: string, fields: AnswerFields): string {
  return indent(encode('xml', root, fields));
}

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => element(name, entry)).join('');
  if (typeof value !== 'object' || value === null) return `<${name}>${escapeXml(String(value))}</${name}>`;
  const { $: attributes = {}, _: text = '', ...elements } = value as Record<string, unknown>;
  const start = Object.entries(attributes as object)
    .map(([attribute, of]) => ` ${attribute}="${escapeXml(String(of)).replaceAll('"', '&quot;')}"`)
    .join('');
  const inside = Object.entries(elements).map(([inner, of]) => element(inner, of));
  return `<${name}${start}>${escapeXml(String(text))}${inside.join('')}</${name}>`;
}

/** Writes one element per line; an element without children stays on one line. Texts contain `&gt;` and never `><`. */
function indent(xml: string): string {
  let depth = 0;
  return xml
    .replace(/>(?=<)/g, '>\n')
    .replace(/<(\w+)([^>]*)>\n<\/\1>/g, '<$1$2></$1>')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      if (line.startsWith('</')) depth--;
      const indented = '  '.repeat(depth) + line;
      if (/^<\w/.test(line) && !line.includes('</')) depth++;
      return indented;
    })
    .join('\n');
}
