import { type ExampleRequest, exampleRequest } from './example-request.ts';
import type { Place } from './place.ts';
import { jsonText } from './text.ts';

/** Returns a shell command that sends the example of an operation, in this form of its body. */
export function curl(place: Place, form?: string): string {
  const request = exampleRequest(place, form);
  const { method, url, body } = request;
  const where = url.includes('?') ? `'${url}'` : url;
  const start = [`curl -s ${where}`, ...signedInBy(request, place)].join(' \\\n  ');
  // Method that curl uses by default.
  const usual = body ? 'POST' : 'GET';
  const line = method === usual ? start : `${start} -X ${method}`;
  if (!body) return line;
  const { type, example } = body;
  const text = type === 'application/json' ? jsonText(example) : String(example);
  // Without the header, curl sends the type of a form. Bodies other than JSON are accepted with any type.
  const typed = type === 'application/json' ? `${line} \\\n  -H "Content-Type: ${type}"` : line;
  // `-d` removes the line ends of a file.
  const option = type === 'text/csv' ? '--data-binary' : '-d';
  return `${typed} \\\n  ${option} '${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the options that identify the caller. */
function signedInBy({ method, token }: ExampleRequest, { operation: { security = [] } }: Place): string[] {
  if (token !== undefined) return [`-H "Authorization: Bearer $${token}"`];
  const session = security.length > 0 ? ['-b "carillon_session=$SESSION"'] : [];
  return method === 'GET' ? session : [...session, '-H "X-Carillon-CSRF: 1"'];
}
