import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { type Decision, decide } from '../../server/api/access/decide.ts';
import type { AccessRule, OpenRule, SignedRule } from '../../server/api/access/rules.ts';
import { enforceAccess } from '../../server/api/access.ts';
import { statusCodes } from '../../server/api/sms/status-codes.ts';
import { httpStatusOf } from '../../server/api/v1/errors.ts';
import { resultOf } from '../../server/channels/mail/mail-api/envelope.ts';
import { openDescription } from '../docs/openapi-support.ts';
import { type Fields, openCases } from '../docs/v1-cases.ts';
import { isOfInterface, routeRules, smsOperations } from '../support/access-table.ts';
import { watchRoutes } from '../support/registered-routes.ts';
import { sendRequest } from '../support/send-request.ts';
import { startTestService } from '../support/service.ts';
import { type Api, apiOf, everybody, signsIn, WALKER, type WalkingCaller } from './access-walk.ts';

/*
 * Who may call which route. The table (server/api/access) is the data: the tests ask every row as everybody, and read from
 * the row what has to come of it.
 */

const routes = watchRoutes();
const phoneTime = Date.now();
const service = await startTestService({
  phoneClock: { now: () => phoneTime },
  settings: { KANNEL_API: 'on', JASMIN_API: 'on', TWILIO_API: 'on', MCP_API: 'on' },
});
const { url } = service;
const callers = await everybody(service);
const rows = Object.entries(routeRules);
const isOpen = (rule: AccessRule): rule is OpenRule => rule.open !== undefined;
const openRows = rows.filter((row): row is [string, OpenRule] => isOpen(row[1]));
const signedRows = rows.filter(
  (row): row is [string, SignedRule] => !isOpen(row[1]) && !isOfInterface(row[0]),
);

/** Does something with each, some of them at a time. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (const one of rest) await work(one);
    }),
  );
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Asks a row, with `1` for each name in its path and an empty body. */
async function ask(row: string, caller: WalkingCaller, username?: string, body = '{}'): Promise<Answer> {
  const [method, path] = row.split(' ') as [string, string];
  const where = new URL(path.replace(/:\w+|\*/g, '1'), url);
  if (username !== undefined) where.searchParams.set('username', username);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const { status, text } = await sendRequest(where, {
    method,
    headers: {
      'x-carillon-csrf': '1',
      ...(await caller.headers(path.startsWith('/v1/session'))),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    body: hasBody ? body : null,
  });
  return { status, text };
}

type Outcome =
  | 'passed'
  | 'signed-out'
  | 'token-expired'
  | 'wrong-account'
  | 'not-allowed'
  | 'second-factor-required'
  | 'proof-needed'
  | 'fault';

const outcomesOfLack = {
  'sign-in': 'signed-out',
  right: 'not-allowed',
  'second-factor': 'second-factor-required',
  proof: 'proof-needed',
} as const;

/** What has to come of a request, by its row and who asks. */
function expected(rule: SignedRule, api: Api, caller: WalkingCaller): Decision | Outcome {
  const { principal, isForeign, names } = caller;
  if (!signsIn[api].includes(principal.kind)) {
    // Whom an API cannot sign in, the table must not let in.
    assert.equal(decide(rule, principal).allowed, false);
    return caller.name === 'an expired token' ? 'token-expired' : 'signed-out';
  }
  if (isForeign && rule.sandbox) return 'signed-out';
  if (isForeign && names !== undefined && rule.subscribers && api !== 'chat') return 'wrong-account';
  return decide(rule, principal);
}

/** All that the table says to those whom it refuses. */
const denials = new Set(
  [...signedRows.map(([, rule]) => rule), ...(Object.values(smsOperations) as SignedRule[])].flatMap((rule) =>
    callers
      .map(({ principal }) => decide(rule, principal))
      .flatMap((one) => (one.allowed ? [] : [one.message])),
  ),
);

/** Whether the table refused; what a route itself does not allow somebody was let in for. */
const isDenial = (code: Outcome, message: string) =>
  !['not-allowed', 'proof-needed'].includes(code) || denials.has(message);

/** What came of a request, as its API says it: an outcome, and for `not-allowed` the words. */
function outcomeOf(api: Api, { status, text }: Answer): [Outcome, string] {
  if (status >= 500) return ['fault', text];
  if (api === 'mail') {
    const { result } = JSON.parse(text) as { result: { ResultID: number; ResultMessage: string } };
    return [result.ResultID === resultOf('signed-out') ? 'signed-out' : 'passed', result.ResultMessage];
  }
  if (api === 'sms') {
    const { status: code, message } = JSON.parse(text) as { status: number; message: string };
    for (const word of ['signed-out', 'token-expired', 'wrong-account', 'not-allowed'] as const) {
      if (code === statusCodes[word] && isDenial(word, message)) return [word, message];
    }
    return ['passed', message];
  }
  if (status !== 401 && status !== 403) return ['passed', text];
  if (api === 'chat') {
    const { success, message } = JSON.parse(text) as { success: boolean; message: string };
    assert.equal(success, false);
    return [
      status === 403 ? 'not-allowed' : /expired/.test(message) ? 'token-expired' : 'signed-out',
      message,
    ];
  }
  if (api === 'mcp') {
    const { error } = JSON.parse(text) as { error: { data: { code: Outcome }; message: string } };
    return [error.data.code, error.message];
  }
  const { code, message } = (JSON.parse(text) as { error: { code: Outcome; message: string } }).error;
  assert.equal(status, httpStatusOf(code as 'not-allowed'));
  return isDenial(code, message) ? [code, message] : ['passed', message];
}

function check(where: string, api: Api, wanted: Decision | Outcome, answer: Answer): void {
  const [outcome, message] = outcomeOf(api, answer);
  if (typeof wanted !== 'string') {
    assert.equal(outcome, wanted.allowed ? 'passed' : outcomesOfLack[wanted.lacks], where);
    if (!wanted.allowed && wanted.lacks !== 'sign-in') assert.equal(message, wanted.message, where);
    return;
  }
  // The mailing-list API has one answer for all whom it does not know.
  assert.equal(outcome, api === 'mail' && wanted === 'token-expired' ? 'signed-out' : wanted, where);
}

/** One caller of each kind; the pages behind links count how often an address comes. */
const oneOfEach = [...new Map(callers.map((caller) => [caller.principal.kind, caller])).values()];

describe('every row of the table', () => {
  test('has its route', () => {
    const registered = new Set(routes.map((route) => `${route.method} ${route.url.replace(/(.)\/$/, '$1')}`));
    const missing = rows
      .map(([row]) => row)
      .filter(
        (row) =>
          !registered.has(row) &&
          ![...registered].some((one) => row.endsWith('*') && one.startsWith(row.slice(0, -1))),
      );
    assert.deepEqual(missing, []);
  });

  test('lets in whom it says, and nobody else', async () => {
    await each(
      signedRows.flatMap((row) => callers.map((caller) => [row, caller] as const)),
      async ([[row, rule], caller]) => {
        const api = apiOf(row.split(' ')[1]!, rule);
        const username = rule.subscribers && api !== 'chat' ? caller.names : undefined;
        check(`${row} as ${caller.name}`, api, expected(rule, api, caller), await ask(row, caller, username));
      },
    );
  });

  test('answers all alike where nobody signs in', async () => {
    await each(openRows, async ([row, { open }]) => {
      // The body names the operation; they have their own walk.
      if (open === 'operation') return;
      const [nobody, ...others] = oneOfEach;
      const { status } = await ask(row, nobody!);
      assert.ok(status < 500, `${row}: ${status}`);
      for (const caller of others)
        assert.equal((await ask(row, caller)).status, status, `${row} as ${caller.name}`);
    });
  });
});

test('every operation of POST /api lets in whom its row says, and nobody else', async () => {
  const asked = Object.entries(smsOperations).flatMap(([root, rule]) =>
    ['/api', '/api/test'].flatMap((path) => callers.map((caller) => ({ root, rule, path, caller }))),
  );
  await each(asked, async ({ root, rule, path, caller }) => {
    assert.ok(!isOpen(rule), root);
    const body = JSON.stringify({ [root]: { user: { username: caller.names ?? 'demo' } } });
    const answer = await ask(`POST ${path}`, caller, undefined, body);
    check(`${root} at ${path} as ${caller.name}`, 'sms', expected(rule, 'sms', caller), answer);
  });
});

describe("what is another tenant's", () => {
  const foreign = callers.filter(
    ({ isForeign, principal }) => isForeign && principal.kind === 'person' && !principal.lacksSecondFactor,
  );

  // By tokens all others are walked in tenants.test.ts.
  test('is not there for people, in the paths that no token reaches', async () => {
    // An account has five tokens at most, and the cases make some.
    await service.sql`UPDATE tokens SET revoked_at = 1 WHERE label = ${WALKER}`;
    const cases = await openCases(service, phoneTime);
    const { operations: described } = await openDescription(url);
    const walked: string[] = [];
    for (const [row, { scopes, roles }] of signedRows) {
      if (scopes.length > 0 || roles.includes('operator') || !row.includes(':id')) continue;
      const [method, path] = row.split(' ') as [string, string];
      const { operation } = described.find(
        (one) => one.method.toUpperCase() === method && one.path === path.replace(':id', '{id}'),
      )!;
      const content = operation.requestBody?.content?.['application/json'];
      const { id, body = content?.example } = await cases.callOf(
        path.replace(':id', '{id}'),
        operation.operationId,
        content?.example as Fields,
      );
      for (const caller of foreign) {
        const sent = JSON.stringify(body ?? {});
        const theirs = await ask(row.replace(':id', id!), caller, undefined, sent);
        const nobodys = await ask(row.replace(':id', '2000000000'), caller, undefined, sent);
        assert.equal(theirs.status, 404, `${row} as ${caller.name}: ${theirs.text}`);
        assert.deepEqual({ ...theirs, text: theirs.text.replaceAll(id!, '2000000000') }, nobodys);
      }
      walked.push(row);
    }
    assert.ok(walked.length > 5, walked.join());
  });
});

const bare = () => {
  const app = fastify();
  enforceAccess(app, { aliases: new Map([['/other', '/chat-api']]), rules: routeRules });
  return app;
};

test('a route without a row keeps the service from starting', () => {
  assert.throws(() => bare().get('/v1/secret', () => 'x'), /GET \/v1\/secret has no row/);
  // Not with another method, not below a prefix that has rows, and not where a path only begins like a row.
  assert.throws(() => bare().put('/v1/people', () => 'x'), /PUT \/v1\/people has no row/);
  assert.throws(() => bare().get('/docs/internal', () => 'x'), /has no row/);
  assert.throws(() => bare().post('/other/nothing', () => 'x'), /has no row/);
  assert.throws(() => bare().get('/constructor', () => 'x'), /has no row/);
  bare().post('/other/send-buttons/', () => 'x');
});

test('a route that needs a sign-in and whose API does not ask for it lets nobody in', async () => {
  const app = bare();
  app.get('/v1/people', () => 'everybody');
  app.get('/healthz', () => 'alive');
  assert.equal((await app.inject('/healthz')).body, 'alive');
  const answer = await app.inject('/v1/people');
  assert.equal(answer.statusCode, 500);
  assert.doesNotMatch(answer.body, /everybody/);
  await app.close();
});
