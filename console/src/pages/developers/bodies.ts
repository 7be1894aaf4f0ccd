/** A body of a request laid out to be read: JSON indented, a form a field a line. */
export function bodyText({
  content_type: type,
  body,
}: {
  readonly content_type: string;
  readonly body: string;
}): string {
  if (type === 'application/json') {
    try {
      return JSON.stringify(JSON.parse(body), null, 2);
    } catch {
      return body;
    }
  }
  return Array.from(new URLSearchParams(body), ([name, value]) => `${name}: ${value}`).join('\n');
}
