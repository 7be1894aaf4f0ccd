import { Pool } from 'undici';
import type { Document, DocumentOperation } from '../../../server/api/openapi/document.ts';
import { MailTokens } from '../../../server/channels/mail/tokens.ts';
import { documented, good } from '../../api/sms/good-requests.ts';
import { DEMO_TOKEN, type TestService, write } from '../../support/service.ts';
import { anyText, breakBytes, breakValue, type Chance, pick } from './mutate.ts';
import type { Input, Target } from './target.ts';

/* Every route of the service's own OpenAPI description; responses are compared with it. */

const wellFormed = (chance: Chance) => anyText(chance).toWellFormed();

/** Operations that are not called: they end the callers' own sessions or tokens, never respond, or move the time. */
const notCalled =
  /^(signOut|endSession|endSessions|endOtherSessions|revokeToken|removeAccountPassword|moveClock|advanceClock|changePassword|choosePassword|removePerson|changePerson|changeAccount|suspendAccount|topUp|changeSandbox|revokeMailToken)$/;
/** Statuses that Node and Fastify return before a route is found. */
const general = new Set([400, 404, 405, 408, 413, 414, 415, 417, 431]);
/** Answers to a path that was broken, too. */
const strays = new Set([...general, 200, 302, 303, 401, 403, 410, 429, 206, 304]);

interface Called {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly type: string | undefined;
  readonly example: unknown;
  readonly queries: readonly string[];
  readonly statuses: ReadonlySet<number>;
  /** HTTP status and code, as in `404 not-found`; of /v1 alone. */
  readonly outcomes: ReadonlySet<string> | undefined;
  readonly caller: 'operator' | 'mail' | 'token';
}

export async function httpTarget(service: TestService): Promise<Target> {
  const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as Document;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => calledOf(path, method, operation) ?? []),
  );
  const family = all.filter(({ path }) => path.startsWith('/api#'));
  const others = all.filter(({ path }) => !path.startsWith('/api#'));
  const familyStatuses = new Set(family.flatMap(({ statuses }) => [...statuses]));
  const { people, sessions } = service.appContext.people;
  const { person } = await people.add({ accountId: null, username: 'fuzz', name: 'Fuzz', role: 'operator' });
  const token = await sessions.start(service.sql, person.id, { address: '127.0.0.1', agent: 'fuzz' });
  const mail = await new MailTokens(service.appContext).lasting.mint(service.demo.id, {
    label: 'fuzz',
  });
  const callers: Readonly<Record<string, Record<string, string>>> = {
    nobody: {},
    token: { authorization: `Bearer ${DEMO_TOKEN}` },
    mail: { authorization: mail.token },
    operator: { cookie: `carillon_session=${token}`, 'x-carillon-csrf': '1' },
  };
  const pool = new Pool(service.url, { connections: 24, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const roots = Object.keys(good).filter((root) => root !== 'getApiToken');

  function nextOfFamily(chance: Chance): Input {
    const root = pick(chance, roots);
    const form = chance() < 0.5 ? 'xml' : 'json';
    const content = good[root]!();
    const isWhole = chance() < 0.5;
    const body = Buffer.from(
      write(form, root, isWhole ? content : (breakValue(chance, content) as object as never)),
    );
    return {
      operation: 'sms',
      method: 'POST',
      path: chance() < 0.7 ? '/api/test' : '/api',
      caller: chance() < 0.95 ? 'token' : 'nobody',
      type: pick(chance, ['application/json', 'application/xml', 'text/plain', '']),
      body: (isWhole ? breakBytes(chance, body) : body).toString('base64'),
    };
  }

  function nextOfOthers(chance: Chance): Input {
    const called = pick(chance, others);
    let path = called.path.replace('{id}', () =>
      encodeURIComponent(pick(chance, ['1', '2000000000', wellFormed(chance) || '0'])),
    );
    path = path.replace(/\{\w+\}/g, () => encodeURIComponent(wellFormed(chance) || 'x'));
    const isStray = chance() < 0.03;
    if (isStray)
      path = `/${breakBytes(chance, Buffer.from(path.slice(1))).toString('latin1')}`.replace(
        /[^\x21-\x7e]/g,
        '%ff',
      );
    const query = called.queries
      .filter(() => chance() < 0.4)
      .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(chance))}`)
      .join('&');
    if (query && !isStray) path += `?${query}`;
    let body: Buffer = Buffer.alloc(0);
    if (called.type !== undefined) {
      const example = typeof called.example === 'string' ? called.example : undefined;
      body =
        example === undefined && chance() < 0.6
          ? Buffer.from(JSON.stringify(breakValue(chance, called.example ?? {})) ?? '')
          : breakBytes(chance, Buffer.from(example ?? JSON.stringify(called.example ?? {})));
    }
    return {
      operation: isStray ? 'stray' : called.id,
      method: called.method,
      path,
      caller: chance() < 0.03 ? 'nobody' : called.caller,
      type:
        called.type === undefined
          ? ''
          : chance() < 0.97
            ? called.type
            : pick(chance, ['text/plain', 'x/y', 'application/json; charset=utf-16']),
      body: body.toString('base64'),
    };
  }

  return {
    name: 'http',
    atOnce: 24,
    next: (chance) => (chance() < 0.5 ? nextOfFamily(chance) : nextOfOthers(chance)),
    async bring(input) {
      const body = Buffer.from(String(input.body), 'base64');
      const {
        statusCode,
        headers,
        body: stream,
      } = await pool.request({
        method: input.method as 'POST',
        path: String(input.path),
        headers: {
          ...callers[String(input.caller)],
          ...(input.type !== '' && { 'content-type': String(input.type) }),
        },
        body: body.length > 0 ? body : null,
      });
      const text = await stream.text();
      const called = others.find(({ id }) => id === input.operation);
      if (input.operation === 'sms') return ofFamily(statusCode, text, familyStatuses);
      if (!called) return strays.has(statusCode) ? undefined : `HTTP ${statusCode} ${text.slice(0, 200)}`;
      return ofOther(called, statusCode, String(headers['content-type'] ?? ''), text);
    },
    async check() {
      const answer = await service.call('json', 'balance', {});
      return answer.status === 0 ? undefined : `balance: ${answer.status} ${answer.message}`;
    },
    close: () => pool.destroy(),
  };
}

function calledOf(path: string, method: string, operation: DocumentOperation): Called | undefined {
  const { operationId: id, parameters = [], requestBody, responses } = operation;
  const contents = Object.values(responses).flatMap((one) =>
    Object.keys((one as { content?: object }).content ?? {}),
  );
  if (notCalled.test(id) || contents.includes('text/event-stream') || path.includes('/sandbox/clock'))
    return undefined;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    method: method.toUpperCase(),
    path,
    id,
    type,
    example: (content as { example?: unknown } | undefined)?.example,
    queries: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    statuses: new Set(Object.keys(responses).map(Number)),
    outcomes: path.startsWith('/v1/')
      ? new Set(operation['x-outcomes'].map(({ code }) => String(code)))
      : undefined,
    caller: path.startsWith('/v1/operator/')
      ? 'operator'
      : path.startsWith('/api/Mailer/')
        ? 'mail'
        : 'token',
  };
}

function ofFamily(http: number, text: string, statuses: ReadonlySet<number>): string | undefined {
  if (!statuses.has(http)) return `HTTP ${http} ${text.slice(0, 200)}`;
  const status = Number(
    /"status":\s*"?(\d+)/.exec(text)?.[1] ?? /<status>(\d+)</.exec(text)?.[1] ?? Number.NaN,
  );
  if (http === 200 && (!documented.has(status) || status === 999))
    return `status ${status} ${text.slice(0, 200)}`;
  return undefined;
}

function ofOther(called: Called, http: number, type: string, text: string): string | undefined {
  const said = `${called.method} ${called.id}: HTTP ${http} ${text.slice(0, 300)}`;
  if (!called.statuses.has(http) && !general.has(http)) return said;
  if (http >= 500 && http !== 503) return said;
  if (!type.startsWith('application/json')) return undefined;
  let answer: { error?: { code?: string } };
  try {
    answer = JSON.parse(text);
  } catch {
    return `${said} is no JSON`;
  }
  if (http < 400 || !called.outcomes || typeof answer.error !== 'object') return undefined;
  return called.outcomes.has(`${http} ${answer.error.code}`) ? undefined : `${said} is not described`;
}
