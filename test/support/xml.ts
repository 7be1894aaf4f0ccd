/** An XML document from the JSON shape of a request: `$` has attributes, `_` text, an array repeats its element. */
export function toXml(root: string, content: unknown): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${elements(root, content)}`;
}

function elements(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => elements(name, entry)).join('');
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null)
    return `<${name}>${escapeXml(String(value ?? ''))}</${name}>`;
  const { $: attributes, _: text, ...children } = value as Record<string, unknown>;
  const written = Object.entries((attributes ?? {}) as Record<string, unknown>).map(
    ([key, one]) => ` ${key}="${escapeXml(String(one)).replaceAll('"', '&quot;')}"`,
  );
  const inner = Object.entries(children).map(([key, child]) => elements(key, child));
  return `<${name}${written.join('')}>${escapeXml(String(text ?? ''))}${inner.join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
