import type { AccessRule } from '../../../server/api/access/rules.ts';
import type { Operation } from '../../docs/openapi-support.ts';
import type { Sent } from '../../support/loop-watch.ts';
import { fullArrays, longTexts, structures } from './json.ts';
import { headerText, pieceCount } from './texts.ts';

/*
 * Hostile requests to a row of the access table: addresses, headers and bodies of every kind that its route reads. Bodies
 * come from what the description says of the route, or from a list of its own (`bodies`).
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** How long a text is in the short form: long enough to hold the loop for a second when it is scanned by every character. */
export const SHORT_TEXT = 64 * KIB;
/**
 * How long lists are in the short form, and structures where a route reads no more than COMMON_BODY: all share their decoder.
 */
const SHORT_STRUCTURE = 256 * KIB;

/** What Fastify reads of a body where a route says nothing else. */
const COMMON_BODY = MIB;
const ANONYMOUS_BODY = 64 * KIB;
/** Node refuses more than 16 KiB of headers, the request line among them. */
const HEAD = 12 * KIB;

export interface RouteContext {
  /** How one signs in. */
  readonly headers: Readonly<Record<string, string>>;
  /** What stands for a name in the path of a row. */
  readonly idOf: (row: string) => string;
  readonly operations: readonly Operation[];
  /** Bytes that routes read of a body, where it is not COMMON_BODY. */
  readonly limits: Readonly<Record<string, number>>;
  /** Hostile bodies that no description leads to, by row. */
  readonly bodies: Readonly<Record<string, () => Iterable<HostileBody>>>;
  /** Fields that keep what is accepted from being sent at once, by row. */
  readonly later: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Each text of a body in many ways, every structure, and everything as long as it may be. */
  readonly full: boolean;
}

export interface HostileBody {
  readonly body: Buffer | string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The operation of the description that a row is; undefined for one that is not described. */
export function describedAs(row: string, operations: readonly Operation[]): Operation | undefined {
  const [method, path] = row.split(' ') as [string, string];
  const described = path.replace(/:(\w+)/g, '{$1}');
  return operations.find((one) => one.method.toUpperCase() === method && one.path === described);
}

/**
 * Hostile requests to a row. Throws Error for a route that may read bodies and has none here: then nobody has thought of
 * what an attacker sends to it.
 */
export function* hostileRequests(row: string, rule: AccessRule, context: RouteContext): Generator<Sent> {
  const [method, pattern] = row.split(' ') as [string, string];
  const path = pattern.replace(/:\w+|\*/g, context.idOf(row));
  const { headers } = context;
  yield* hostileHeads(method, path, pattern, headers);
  const seed = hash(row);
  for (const { body, query = '', headers: more } of bodiesOf(row, rule, context, seed)) {
    const type = { 'content-type': 'application/json' };
    yield { method, path: path + query, headers: { ...type, ...headers, ...more }, body };
  }
}

/** Long and odd addresses and headers. */
function* hostileHeads(
  method: string,
  path: string,
  pattern: string,
  headers: Readonly<Record<string, string>>,
): Generator<Sent> {
  const seed = hash(method + pattern);
  const text = (n: number, bytes = HEAD) => headerText(seed + n, bytes);
  const query = (n: number) => encodeURIComponent(text(n, HEAD / 3));
  yield { method, path: `${path}?${'a=&'.repeat(HEAD / 3)}`, headers };
  yield { method, path: `${path}?limit=${query(1)}&before=1&q=1&type=${query(2).slice(0, 500)}`, headers };
  yield { method, path: `${path}?username=${query(3)}`, headers };
  yield { method, path, headers: { ...headers, cookie: text(4) } };
  yield {
    method,
    path,
    headers: { ...headers, cookie: `${'a=b;'.repeat(HEAD / 4)}${headers.cookie ?? ''}` },
  };
  yield { method, path, headers: { ...headers, authorization: `Bearer ${text(5)}` } };
  yield { method, path, headers: { ...headers, 'accept-language': text(6), 'user-agent': text(7, 2_000) } };
  yield {
    method,
    path,
    headers: { ...headers, 'if-none-match': text(8), range: `bytes=${'0-,'.repeat(500)}` },
  };
  yield {
    method,
    path,
    headers: { ...headers, 'x-forwarded-for': text(9), 'accept-encoding': 'br;q=,'.repeat(300) },
  };
  if (!/[:*]/.test(pattern)) return;
  for (let n = 0; n < 3; n++) {
    const name = encodeURIComponent(text(10 + n, 160)).slice(0, 498);
    yield { method, path: pattern.replace(/:\w+|\*/g, name.replace(/%.?$/, '')), headers };
  }
  yield { method, path: pattern.replace(/:\w+|\*/g, 'a'.repeat(HEAD)), headers };
  yield { method, path: pattern.replace(/:\w+|\*/g, '9'.repeat(490)), headers };
}

function* bodiesOf(
  row: string,
  rule: AccessRule,
  { operations, limits, bodies, later, full }: RouteContext,
  seed: number,
): Generator<HostileBody> {
  const bytes = limits[row] ?? (rule.open === undefined ? COMMON_BODY : ANONYMOUS_BODY);
  if (full) for (const structure of structures) yield { body: structure(bytes) };
  else {
    const size = bytes > COMMON_BODY ? bytes : Math.min(bytes, SHORT_STRUCTURE);
    yield { body: structures[seed % structures.length]!(size) };
  }
  const own = bodies[row];
  if (own) yield* own();
  const [method] = row.split(' ');
  if (method === 'GET' || method === 'DELETE') return;
  const described = describedAs(row, operations);
  if (!described && !own) {
    throw new Error(`${row} is not described: write its hostile bodies in test/security/hostile/suite.ts`);
  }
  const content = described?.operation.requestBody?.content;
  const json =
    content && (content as Record<string, { schema: never; example: unknown }>)['application/json'];
  if (!json) {
    if (content && !own)
      throw new Error(`${row} takes no JSON: write its hostile bodies in test/security/hostile/suite.ts`);
    return;
  }
  const example = { ...(json.example as object), ...later[row] };
  const longest = Math.min(bytes, full ? 2 * MIB - KIB : SHORT_TEXT);
  for (const body of longTexts(example, longest, seed, full ? pieceCount : 1)) yield { body };
  const fullest = full ? bytes : Math.min(bytes, SHORT_STRUCTURE);
  for (const body of fullArrays(example, json.schema, fullest, full)) yield { body };
}

/** A number for a text, the same each time: what is tried differs from row to row and not from run to run. */
function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + character.charCodeAt(0)) % 100_003;
  return value % (pieceCount * 10);
}
