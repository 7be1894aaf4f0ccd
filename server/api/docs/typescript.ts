import { resources } from '../../../client/src/resources.ts';
import type { Body } from '../openapi/description.ts';
import { ADDRESS, exampleParameters, type Place } from './place.ts';
import { jsonText } from './text.ts';

/** Methods of the client library by operation: `client.sms.send`. */
const methods: ReadonlyMap<string, string> = new Map(
  Object.entries(resources).flatMap(([resource, own]) =>
    Object.entries(own).map(([method, operation]): [string, string] => [
      operation,
      `client.${resource}.${method}`,
    ]),
  ),
);

/** Streams, which have their own methods. */
const streams: ReadonlyMap<string, string> = new Map([
  [
    'GET /v1/live',
    "for await (const event of client.live({ messages: ['1774337460000002'] })) console.log(event);",
  ],
  [
    'GET /v1/events/stream',
    'for await (const event of client.events()) console.log(event.type, event.data);',
  ],
]);

/**
 * Returns a program that sends the example of an operation with the client library; undefined for an operation that no
 * token may call.
 */
export function typescript(place: Place): string | undefined {
  const { method, path, operation } = place;
  const { security, responses } = operation;
  if (security && !security.some((scheme) => 'token' in scheme)) return undefined;
  const name = `${method.toUpperCase()} ${path}`;
  const success = Object.values(responses).find((response) => 'content' in response) as Body;
  const [type, { example }] = Object.entries(success.content)[0]!;
  // As the client library decides: a body with `after` has no pages.
  const hasAfter = operation.parameters?.some((parameter) => parameter.name === 'after') ?? false;
  const isPage = hasAfter && typeof example === 'object' && example !== null && 'next' in example;
  const mailToken = path.startsWith('/api/Mailer/') ? '\n  mailToken: process.env.MAIL_TOKEN!,' : '';
  return `import { Carillon } from '@carillon/client';

const client = new Carillon({
  url: '${ADDRESS}',
  token: process.env.TOKEN!,${mailToken}
});
${streams.get(name) ?? use(callOf(name, place, isPage), type, isPage)}`;
}

/** Returns code that handles the result of a call. */
function use(call: string, type: string, isPage: boolean): string {
  if (isPage) return `for await (const row of ${call}) console.log(row);`;
  if (type === 'application/json') return `console.log(await ${call});`;
  return `const file = await ${call};\nconsole.log(${type.startsWith('text/') ? 'await file.text()' : '(await file.blob()).size'});`;
}

/** Returns `client.sms.send({ … })`, or `client.request('POST /v1/sms', { … })` for an operation without a method. */
function callOf(name: string, { path, operation }: Place, isPage: boolean): string {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const body =
    content && (type === 'application/json' ? literal(content.example) : quote(String(content.example)));
  const query = exampleParameters(operation, 'query');
  const method = methods.get(name);
  if (method !== undefined) {
    const id = path.includes('{id}') ? [quote(exampleParameters(operation, 'path')[0]![1])] : [];
    const asked = query.length > 0 ? [literal(Object.fromEntries(query))] : [];
    return `${method}(${[...id, ...(body === undefined ? asked : [body])].join(', ')})`;
  }
  const root = /^\/api#(\w+)$/.exec(path)?.[1];
  if (root !== undefined) {
    const { [root]: sent } = content!.example as Readonly<Record<string, unknown>>;
    return `client.api('${root}', ${literal(sent)})`;
  }
  const inPath = exampleParameters(operation, 'path');
  const input = [
    ...(inPath.length > 0 ? [`path: ${literal(Object.fromEntries(inPath))}`] : []),
    ...(query.length > 0 ? [`query: ${literal(Object.fromEntries(query))}`] : []),
    ...(body === undefined ? [] : [`body: ${body}`]),
  ];
  return `client.${isPage ? 'list' : 'request'}('${name}'${input.length > 0 ? `, { ${input.join(', ')} }` : ''})`;
}

/** Returns a value as TypeScript source code: JSON, with names unquoted where possible. */
const literal = (value: unknown): string =>
  jsonText(value).replace(/(^|[{,]\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');

const quote = (text: string): string => JSON.stringify(text);
