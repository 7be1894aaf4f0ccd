import { type ExampleRequest, exampleRequest, type Success } from './example-request.ts';
import { layout, type Notation, withoutUnseen } from './layout.ts';
import type { Place } from './place.ts';

/**
 * Returns a Python program that sends the example of an operation, with only the standard library (Python 3.8 and
 * later); undefined for an operation that no token may call.
 */
export function python(place: Place): string | undefined {
  const request = exampleRequest(place);
  if (request.token === undefined) return undefined;
  const { method, url, token, body, answerType, success } = request;
  const modules = [
    ...(answerType === 'application/json' || body?.type === 'application/json' ? ['json'] : []),
    'os',
    'urllib.error',
    'urllib.request',
  ];
  const headers = [`        "Authorization": f"Bearer {os.environ['${token}']}",\n`];
  if (body) headers.push(`        "Content-Type": "${body.type}",\n`);
  return `${modules.map((name) => `import ${name}\n`).join('')}
request = urllib.request.Request(
    ${pythonLiteral(url)},
${method === (body ? 'POST' : 'GET') ? '' : `    method="${method}",\n`}    headers={
${headers.join('')}    },
${body ? `    data=${content(body)},\n` : ''})
try:
    with urllib.request.urlopen(request, timeout=${answerType === 'text/event-stream' ? 45 : 30}) as response:
        ${reading(answerType)}
except urllib.error.HTTPError as error:
    raise SystemExit(f"HTTP {error.code}: {error.read().decode()}")
${use(answerType, success)}`.trimEnd();
}

function content({ type, example }: NonNullable<ExampleRequest['body']>): string {
  return type === 'application/json'
    ? `json.dumps(${pythonLiteral(example, '    ')}).encode()`
    : `${pythonLiteral(String(example))}.encode()`;
}

/** Returns code that reads the response. */
function reading(answerType: string): string {
  // A stream has no end. If it is silent for longer than the interval of its comments, the connection is broken.
  if (answerType === 'text/event-stream') {
    return 'for line in response:\n            print(line.decode(), end="", flush=True)';
  }
  return answerType === 'application/json' ? 'answer = json.load(response)' : 'answer = response.read()';
}

/** Returns code that handles the response. */
function use(answerType: string, success: Success | undefined): string {
  if (answerType === 'text/event-stream') return '# The stream was closed: connect again.';
  if (answerType === 'application/json') {
    return success
      ? `if ${isRefused(success)}:\n    raise SystemExit(answer)\nprint(answer)`
      : 'print(answer)';
  }
  if (answerType.startsWith('text/')) return 'print(answer.decode(), end="")';
  return 'with open("answer.bin", "wb") as file:\n    file.write(answer)';
}

function isRefused({ path, value }: Success): string {
  const field = `answer${path.map((name) => `["${name}"]`).join('')}`;
  return value === true ? `not ${field}` : `${field} != ${value}`;
}

const words: ReadonlyMap<unknown, string> = new Map([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

const notation: Notation = {
  indent: '    ',
  lastComma: ',',
  scalar: (value) => words.get(value) ?? quoted(value),
  name: (name) => `${quoted(name)}: `,
  list: ['[', ']'],
  object: () => ['{', '}'],
  padding: '',
};

/**
 * Returns a JSON value as Python source code.
 *
 * @param indent that of its first line
 */
export const pythonLiteral = (value: unknown, indent = ''): string => layout(value, notation, indent);

/** Python has all escapes of JSON. */
const quoted = (value: unknown): string =>
  withoutUnseen(JSON.stringify(value), (code) => `\\u${code.toString(16).padStart(4, '0')}`);
