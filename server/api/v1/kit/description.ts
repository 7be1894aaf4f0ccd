import { z } from 'zod';
import type { RefusalCode } from '../../../kit/errors.ts';
import { type AccessRule, type SignedRule, sendKeyOf } from '../../access/rules.ts';
import type {
  Content,
  DescribedByRule,
  OperationAbout,
  Parameter,
  Security,
} from '../../openapi/description.ts';
import type { ApiDescription } from '../../openapi/document.ts';
import { answerSchema, jsonContent, queryParameters, requestSchema } from '../../openapi/json-schema.ts';
import { SESSION_COOKIE } from '../caller.ts';
import { httpStatusOf } from '../errors.ts';
import { type AnswerMask, maskOf } from '../field-rights.ts';
import type { AnySpec } from './route.ts';

/* Documentation of routes under /v1. */

/** Possible refusals of every request, for all callers. */
const openRefusals: readonly RefusalCode[] = ['bad-field', 'not-allowed', 'too-fast', 'try-again'];
const keyRefusals: readonly RefusalCode[] = ['key-reused', 'key-in-progress'];
const signedInRefusals: readonly RefusalCode[] = ['signed-out', 'token-expired', 'wrong-account'];

const meanings: Partial<Record<RefusalCode, string>> = {
  'bad-field': 'the query or the body has an invalid value; `field` names it',
  'signed-out': 'the token or the session is missing, unknown or expired',
  'token-expired': 'the token has expired',
  'wrong-account': '`username` is neither the account of the token nor one of its subscribers',
  'not-allowed':
    'the role of the caller is not sufficient, a session came without `X-Carillon-CSRF: 1`, the account is suspended, or the operation is not available here',
  'too-fast': 'the rate limit or the limit of concurrent requests is exceeded',
  'try-again': 'the service cannot do this now, try again',
  'key-reused': 'the send key was used with another request in the last 24 hours',
  'key-in-progress': 'a request with the same send key is in progress; try again',
  'not-found': 'the object does not exist',
  'unknown-list': 'the list does not exist',
  'too-large': 'the body is too large',
  'over-budget':
    'a budget of the account is used up; `params` has its name in `budget`, and the time of its renewal in `renews` (empty: it does not renew)',
  'wrong-password': 'the password is wrong',
  'wrong-code': 'the code is wrong or was used already',
  'second-factor-required':
    'the rules of the account require a second factor, and the person of the session has none: set one up first',
  'proof-needed':
    'the last proof of identity in this session is over five minutes old: send `POST /v1/session/proof`, then repeat the request',
  'link-over': 'the link was used or has expired',
  'bad-password': 'the password is too short or too long',
  'username-taken': 'the user name is taken',
  'unknown-user': 'there is no such user name',
  'not-now': 'the object is not in a state that allows this',
  'no-credit': 'not enough credit',
  'all-blocked': 'every phone is on the blacklist',
  'all-filtered': 'every phone is skipped by `recent_days`',
  'bad-destination':
    'a phone is invalid, or belongs to another country without `includes_international`; or there are no recipients',
  'source-not-verified':
    'the sender is not a verified number, approved name or approved address of the account',
  'bad-message': 'the text or the name is empty or too long',
  'bad-links':
    'a link does not appear in the text, the text names an unknown link, or a link is not an address',
  'bad-recent-days': '`recent_days` is not 1 to 14',
  'bad-dynamic-fields': '`dynamic` together with phones, or with several contact lists',
  'unknown-source': 'no business number of the account',
  'unknown-template': 'no template of the business number',
  'template-not-usable': 'the template is not approved, paused, or was removed',
  'two-unanswered': 'two template messages have had no answer from the client',
  blacklisted: 'the client has opted out of marketing messages: on the blacklist, or on the platform',
  'never-written': 'the client has never written; send a template',
  'window-closed':
    'the last message of the client is over 24 hours old, or a template since then has no reply; send a template',
  'bad-reply': 'the client has sent no such message',
  'tier-reached': 'the messaging limit of the portfolio is reached; try again later',
  'bad-variables': 'the number of variables differs from the template, or one is empty',
  'bad-variable-text': 'a variable has a line break or four spaces in a row',
  'bad-header':
    'the link to media is missing, is not an address, or leads to no file or to one that is too large',
  'bad-header-type': 'the link leads to media of another type',
  'bad-website-variable': 'the variable of a website button is missing, or names no field',
  'bad-coupon': 'the coupon or its expiry is missing, too long or invalid',
  'bad-otp': 'the code is missing or too long',
  'too-long': 'over 1,024 characters with the variables',
  suspended: 'the account is suspended',
  'url-known': 'the address is registered already',
  'over-credit': 'more than the balance of the paying wallet',
  'bad-amount': 'the amount is invalid',
  'bad-source': 'the sender has an invalid format',
  'bad-username': 'the user name has an invalid format',
  'bad-name': 'the name is too short or too long',
  'no-phones': 'the request has no number',
  'bad-blacklist-entry': 'none of the numbers is valid',
};

const csv = 'text/csv';
const eventStream = 'text/event-stream';
const error = { $ref: '#/components/schemas/Error' };

const username: Parameter = {
  name: 'username',
  in: 'query',
  description:
    'User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators.',
  required: false,
  schema: { type: 'string' },
};

/** Shared parts of the documentation of /v1. */
export const v1Description: Omit<ApiDescription, 'operations'> = {
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: SESSION_COOKIE,
      description:
        'Cookie that `POST /v1/session` gives a person; over https its name is `__Host-carillon_session`. All requests except `GET` also need the header `X-Carillon-CSRF: 1`.',
    },
  },
  schemas: {
    Error: {
      type: 'object',
      properties: {
        error: {
          type: 'object',
          properties: {
            code: { type: 'string', description: 'Code of the error, for programs.' },
            message: { type: 'string', description: 'Text of the error, for people.' },
            field: { type: 'string', description: 'Field that caused the error, if there is one.' },
            reason: {
              type: 'string',
              description: 'Code of the problem with the field, for programs, where known: `too-long`.',
            },
            params: {
              type: 'object',
              description: 'Values in the reason, such as `{"max": 50}`.',
            },
          },
          required: ['code', 'message'],
        },
      },
      required: ['error'],
    },
  },
};

/**
 * Returns Fastify's configuration of a route: its description, completed with the callers of its access rule, and the
 * function that masks sensitive fields of its responses.
 */
export function describeRoute(
  spec: AnySpec<never>,
): DescribedByRule & { readonly mask: AnswerMask | undefined } {
  if (spec.operationId === undefined) throw new Error(`${spec.method} /v1${spec.path} is not described`);
  const mask = spec.answer instanceof z.ZodObject ? maskOf(spec.answer) : undefined;
  return { operationId: spec.operationId, describe: (rule) => describe(spec, rule), mask };
}

/** Refusals of a body before it is parsed. */
const bodyOutcomes = [
  { status: 400, code: 'unreadable', meaning: 'the body cannot be read, or is incomplete' },
  { status: 413, code: 'too-large', meaning: 'the body is too large' },
  { status: 415, code: 'unreadable', meaning: 'the body has another media type' },
];

/** Returns the possible refusals of a route: by its access rule, its declaration, and its own list. */
export function refusalsOf({ refusals = [], id }: AnySpec<never>, rule: AccessRule): readonly RefusalCode[] {
  const ofId: readonly RefusalCode[] = id ? ['not-found', ...(id.refusals ?? [])] : [];
  const ofKey = sendKeyOf(rule) ? keyRefusals : [];
  return [...new Set([...callersOf(rule).common, ...ofKey, ...ofId, ...refusals])];
}

function describe(spec: AnySpec<never>, rule: AccessRule): OperationAbout {
  const { chapter, operationId, title, description, id, query, status = 200 } = spec;
  const { security, acts, needs } = callersOf(rule);
  const requestBody = bodyOf(spec);
  const refused = refusalsOf(spec, rule).map((code) => ({
    status: httpStatusOf(code),
    code: code as string,
    meaning: meanings[code] ?? '',
  }));
  const outcomes = requestBody ? [...refused, ...bodyOutcomes] : refused;
  // The first refusal of a status is its example.
  const refusals = Map.groupBy(outcomes, (outcome) => outcome.status);
  return {
    chapter,
    operationId,
    summary: title,
    description: needs === '' ? description : `${description}\n\n${needs}`,
    parameters: [
      ...pathParameters(id),
      ...(query ? queryParameters(query) : []),
      ...(acts ? [username] : []),
    ],
    security,
    ...(requestBody && { requestBody }),
    responses: {
      [status]: {
        description: status === 202 ? 'Accepted; continues in the background.' : 'Done.',
        content: answerContent(spec.answer),
      },
      ...Object.fromEntries([...refusals].map(([code, [first]]) => [code, refusedResponse(first!)])),
    },
    outcomes: outcomes.map(({ status, code, meaning }) => ({ code: `${status} ${code}`, meaning })),
  };
}

function refusedResponse({ code, meaning }: { readonly code: string; readonly meaning: string }) {
  const example = { error: { code, message: meaning.replaceAll('`', '') } };
  return { description: 'Refused.', content: jsonContent(error, example) };
}

/**
 * Returns the permitted callers of a route, in words and as security schemes; whether `?username=` may name another
 * account; and the refusals that every request may get.
 */
function callersOf(rule: AccessRule): {
  security: readonly Security[];
  acts: boolean;
  common: readonly RefusalCode[];
  needs: string;
} {
  if (rule.open !== undefined) return { security: [], acts: false, common: openRefusals, needs: '' };
  const { scopes, roles, subscribers, withoutSecondFactor } = rule;
  const common: RefusalCode[] = [...openRefusals, ...signedInRefusals];
  if (subscribers) common.push('unknown-user');
  if (roles.length > 0 && !withoutSecondFactor) common.push('second-factor-required');
  if (roles.length > 0 && rule.proof !== 'none') common.push('proof-needed');
  return {
    security: [
      ...(scopes.length > 0 ? [{ token: [] }] : []),
      ...(roles.length === 0 ? [] : [{ session: [] }]),
    ],
    acts: subscribers,
    common,
    needs: needsOf(rule),
  };
}

/** `Needs the role sender, or a token with the scope send.` */
function needsOf(rule: SignedRule): string {
  const { scopes, roles } = rule;
  const token =
    scopes.length > 0 ? `a token with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}` : '';
  const person = roles.length === 0 ? '' : `the role ${roles.map((role) => `\`${role}\``).join(' or ')}`;
  const proof =
    roles.length > 0 && rule.proof === 'session'
      ? ' A person must have proved their identity within the last five minutes (`proof-needed`).'
      : '';
  if (token === '') return `Needs ${person}. Tokens cannot call it.${proof}`;
  return `Needs ${[person, token].filter((one) => one !== '').join(', or ')}.${proof}`;
}

function bodyOf({ body, file }: AnySpec<never>): OperationAbout['requestBody'] {
  if (body) {
    return { required: true, content: jsonContent(requestSchema(body)) };
  }
  if (!file) return undefined;
  const content = { [file.mediaType ?? csv]: { schema: { type: 'string' as const }, example: file.example } };
  return { required: true, description: file.description, content };
}

function answerContent(answer: AnySpec<never>['answer']): Record<string, Content> {
  if (answer instanceof z.ZodObject) return jsonContent(answerSchema(answer));
  if ('csv' in answer) return { [csv]: { schema: { type: 'string' }, example: answer.csv } };
  if ('events' in answer) {
    return { [eventStream]: { schema: { type: 'string' }, example: answer.events } };
  }
  return { [answer.binary]: { schema: { type: 'string', format: 'binary' }, example: 'RIFF…' } };
}

function pathParameters(id: AnySpec<never>['id']): Parameter[] {
  if (!id) return [];
  const { description } = id;
  return [{ name: 'id', in: 'path', description, required: true, schema: { type: 'string' } }];
}
