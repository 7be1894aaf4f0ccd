import { type ExampleRequest, exampleRequest, type Success } from './example-request.ts';
import { hasUnseen, layout, type Notation, withoutUnseen } from './layout.ts';
import type { Place } from './place.ts';

/**
 * Returns a PHP program that sends the example of an operation, with only the curl extension (PHP 8.0 and later);
 * undefined for an operation that no token may call.
 */
export function php(place: Place): string | undefined {
  const request = exampleRequest(place);
  if (request.token === undefined) return undefined;
  return `<?php

$request = curl_init(${phpLiteral(request.url)});
curl_setopt_array($request, [
${options(request)
  .map((option) => `    ${option},\n`)
  .join('')}]);
$answer = curl_exec($request);
if ($answer === false) {
    throw new RuntimeException(curl_error($request));
}
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
if ($status >= 400) {
    throw new RuntimeException("HTTP $status: $answer");
}
${use(request)}`;
}

function options({ method, token, body, answerType }: ExampleRequest): string[] {
  const headers = [`        'Authorization: Bearer ' . getenv('${token}'),\n`];
  if (body) headers.push(`        'Content-Type: ${body.type}',\n`);
  return [
    // With a body, curl sends POST by default.
    ...(method === (body ? 'POST' : 'GET') ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    `CURLOPT_HTTPHEADER => [\n${headers.join('')}    ]`,
    ...(body ? [`CURLOPT_POSTFIELDS => ${content(body)}`] : []),
    ...(answerType === 'text/event-stream'
      ? streamed
      : ['CURLOPT_RETURNTRANSFER => true', 'CURLOPT_TIMEOUT => 30']),
  ];
}

function content({ type, example }: NonNullable<ExampleRequest['body']>): string {
  return type === 'application/json'
    ? `json_encode(${phpLiteral(example, '    ')}, JSON_THROW_ON_ERROR)`
    : phpLiteral(String(example));
}

/** A stream has no end. If it is silent for longer than the interval of its comments, the connection is broken. */
const streamed = [
  `CURLOPT_WRITEFUNCTION => function ($request, string $part): int {
        echo $part;
        return strlen($part);
    }`,
  'CURLOPT_LOW_SPEED_LIMIT => 1',
  'CURLOPT_LOW_SPEED_TIME => 45',
];

/** Returns code that handles the response. */
function use({ answerType, success }: ExampleRequest): string {
  if (answerType === 'text/event-stream') return '// The stream was closed: connect again.';
  if (answerType === 'application/json') {
    const decode = 'json_decode($answer, true, flags: JSON_THROW_ON_ERROR)';
    if (!success) return `print_r(${decode});`;
    return `$result = ${decode};
if (${isRefused(success)}) {
    throw new RuntimeException($answer);
}
print_r($result);`;
  }
  return answerType.startsWith('text/') ? 'echo $answer;' : "file_put_contents('answer.bin', $answer);";
}

const isRefused = ({ path, value }: Success): string =>
  `$result${path.map((name) => `['${name}']`).join('')} !== ${value}`;

const notation: Notation = {
  indent: '    ',
  lastComma: ',',
  scalar: (value) => (typeof value === 'string' ? quoted(value) : String(value)),
  name: (name) => `${quoted(name)} => `,
  list: ['[', ']'],
  // Without the cast, an array without names, or with names that count from 0, would become a JSON list.
  object: (names) => [names.every((name, index) => name === String(index)) ? '(object) [' : '[', ']'],
  padding: '',
};

/**
 * Returns a JSON value as PHP source code.
 *
 * @param indent that of its first line
 */
export const phpLiteral = (value: unknown, indent = ''): string => layout(value, notation, indent);

const named: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r' };

function quoted(text: string): string {
  if (!hasUnseen(text)) return `'${text.replace(/[\\']/g, '\\$&')}'`;
  const escaped = text.replace(/[\\$"]/g, '\\$&');
  return `"${withoutUnseen(escaped, (code) => named[code] ?? `\\u{${code.toString(16)}}`)}"`;
}
