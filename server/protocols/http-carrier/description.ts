import { z } from 'zod';
import { languages } from '../../kit/text/language.ts';
import { answerProblems, batch, batchProblems } from './batch-settings.ts';
import { channelProblems } from './channel-problems.ts';
import { compileExpression } from './locator.ts';
import { pollKinds, polls } from './poll-settings.ts';
import {
  checked,
  checkTemplate,
  entries,
  expression,
  headerName,
  jsonOf,
  locator,
  places,
  pointer,
  template,
  text,
} from './schema-parts.ts';
import { jwtAuth, sendSignature } from './send-signature-settings.ts';
import { signatureScheme } from './signature-settings.ts';
import { callRefusalNames, callStateNames, refusalNames, stateNames } from './state-names.ts';
import { DescriptionError } from './template.ts';

/*
 * The description of a provider's HTTP interface, as docs/http-carriers.md explains it. Everything is data from closed lists; the
 * schema compiles each template, locator and expression, so a description that was read cannot fail later.
 */

/** Maximum rules of an answer. */
export const MAX_RULES = 100;
/** Instructions of all RE2 programs together: three of the longest, which take 90 ms of the event loop. */
const MAX_PROGRAMS = 750;

const body = z.union(
  [
    z.strictObject({ form: entries('form') }),
    z.strictObject({ json: jsonOf((value) => checkTemplate(value, 'json')) }),
    z.strictObject({ xml: template('xml') }),
  ],
  'must be one of {"form": …}, {"json": …} and {"xml": …}',
);

/** OAuth 2.0 client credentials (RFC 6749, 4.4). */
const oauth = z.strictObject({
  url: template('path'),
  client: template('plain'),
  secret: template('plain'),
  scope: text.optional(),
});
type Authentication =
  | { readonly basic: readonly [user: string, password: string] }
  | { readonly bearer: string }
  | { readonly oauth: z.output<typeof oauth> }
  | { readonly jwt: z.output<typeof jwtAuth> };

/** Authentication of requests. A key can also be in a header or the query. No union, so that problems name the field. */
const authentication = z
  .strictObject({
    basic: z.tuple([template('plain'), template('plain')]).optional(),
    bearer: template('header').optional(),
    oauth: oauth.optional(),
    jwt: jwtAuth.optional(),
  })
  .refine(
    (given) => Object.keys(given).length === 1,
    'must be one of {"basic": [user, password]}, {"bearer": token}, {"oauth": …} and {"jwt": …}',
  )
  .transform((given) => given as Authentication);

/** A request to a provider. */
export const sendDescription = z
  .strictObject({
    method: z.enum(['POST', 'GET']).default('POST'),
    /** Its origin may contain secrets, but nothing of a message. */
    url: template('path'),
    query: entries('query').default({}),
    headers: z.record(headerName, template('header')).default({}),
    body: body.optional(),
    auth: authentication.optional(),
    /** Signature of each request. */
    signature: sendSignature.optional(),
    /** Several messages in one request. */
    batch: batch.optional(),
  })
  .superRefine((value, context) => {
    for (const { path, message } of signatureProblems(value))
      context.addIssue({ code: 'custom', path: ['signature', ...path], message });
    for (const { path, message } of batchProblems(value))
      context.addIssue({ code: 'custom', path: ['batch', ...path], message });
  });
type SendParts = Pick<z.output<typeof sendDescription>, 'headers' | 'query' | 'body' | 'auth' | 'signature'>;

/** Returns what a signature adds although the request has it, and signs although the request does not have it. */
function signatureProblems({ headers, query, body: content, auth, signature }: SendParts) {
  if (!signature) return [];
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (content) names.push('content-type');
  if (auth) names.push('authorization');
  if (signature.scheme === 'aws-v4')
    return names.includes('authorization')
      ? [{ path: ['scheme'], message: 'aws-v4 sets the header authorization; remove the other one' }]
      : [];
  const problems: { readonly path: (string | number)[]; readonly message: string }[] = [];
  const add = (
    place: { readonly header?: string | undefined; readonly query?: string | undefined } | undefined,
    path: string[],
  ) => {
    if (place?.header !== undefined && names.includes(place.header))
      problems.push({ path: [...path, 'header'], message: 'the request has this header already' });
    if (place?.query !== undefined && Object.hasOwn(query, place.query))
      problems.push({ path: [...path, 'query'], message: 'the request has this parameter already' });
    if (place?.header !== undefined) names.push(place.header);
  };
  add(signature.timestamp, ['timestamp']);
  add(signature.nonce, ['nonce']);
  for (const [at, piece] of signature.signed.entries())
    if (typeof piece === 'object' && 'header' in piece && !names.includes(piece.header))
      problems.push({ path: ['signed', at, 'header'], message: 'the request has no header of this name' });
  add(signature, []);
  return problems;
}

const httpStatus = z.union([
  z.int().min(100).max(599),
  z.enum(['2xx', '3xx', '4xx', '5xx'], 'must be a status, or 2xx, 3xx, 4xx or 5xx'),
]);

/** A condition: all its members must hold. `at` alone means that the place has a value. */
export const condition = z
  .strictObject({
    status: z.union([httpStatus, z.array(httpStatus).min(1)]).optional(),
    at: locator.optional(),
    is: z.union([text, z.number(), z.boolean()]).optional(),
    in: z
      .array(z.union([text, z.number()]))
      .min(1)
      .max(500)
      .optional(),
    matches: expression.optional(),
  })
  .superRefine((value, context) => {
    const tests = [value.is, value.in, value.matches].filter((one) => one !== undefined).length;
    if (tests > 1) context.addIssue({ code: 'custom', message: 'give only one of is, in and matches' });
    if (tests > 0 && value.at === undefined)
      context.addIssue({
        code: 'custom',
        path: ['at'],
        message: 'is missing: is, in and matches compare its value',
      });
    if (value.at === undefined && value.status === undefined)
      context.addIssue({ code: 'custom', message: 'has neither status nor at' });
  });
export type ConditionDescription = z.output<typeof condition>;

const rule = z
  .strictObject({
    when: condition,
    // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
    then: z.enum(['accepted', 'refused', 'throttled', 'again', 'unknown']),
    /** Place of the time to wait: seconds, or a date. Default: the header Retry-After. */
    afterAt: locator.optional(),
    /** Status of a refused message. */
    as: z.enum([...refusalNames, ...callRefusalNames]).optional(),
    /** The provider accepts nothing from this account: messages use other connectors until it does. */
    fault: z.enum(['access', 'rejected']).optional(),
  })
  .superRefine((value, context) => {
    if (value.as !== undefined && value.then !== 'refused')
      context.addIssue({ code: 'custom', path: ['as'], message: 'is only for "then": "refused"' });
    if (value.fault !== undefined && value.then !== 'again')
      context.addIssue({ code: 'custom', path: ['fault'], message: 'is only for "then": "again"' });
  });

const outcome = {
  /** The first rule that matches decides; without a match the outcome is unknown. */
  rules: z.array(rule).min(1).max(MAX_RULES),
  /** Places of the message ids: one for each part. Without it, reports carry the id of the request (`{id}`). */
  id: locator.optional(),
  code: places.optional(),
  parts: locator.optional(),
  price: locator.optional(),
};
const items = z.strictObject({
  /** Results of the messages; locators that are JSON Pointers are relative to a result. */
  each: pointer,
  /** Place of `{id}` in a result. Without it, results are in the order of the messages. */
  ref: locator.optional(),
  /** Place of the recipient: a result with another one than its message is not used. */
  to: locator.optional(),
  ...outcome,
});
const answer = z.strictObject({
  ...outcome,
  /** Results of the messages of a batch. The other members are for answers without results. */
  items: items.optional(),
});
export type OutcomeDescription = Omit<z.output<typeof answer>, 'items'>;

const reports = z.strictObject({
  /** Items of a request with many; locators that are JSON Pointers are relative to an item. */
  each: pointer.optional(),
  /** Items or requests that do not match are no reports. */
  when: condition.optional(),
  id: locator,
  status: locator,
  states: z.record(
    z.string().max(100),
    z.enum(
      [...stateNames, ...callStateNames],
      `must be one of ${[...new Set([...stateNames, ...callStateNames])].join(', ')}`,
    ),
  ),
  code: places.optional(),
  to: locator.optional(),
});

const incoming = z.strictObject({
  each: pointer.optional(),
  when: condition.optional(),
  from: locator,
  to: locator,
  text: locator,
});

/** RE2 expressions anywhere in a part of a description. */
function expressionsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('re2:') ? [value.slice('re2:'.length)] : [];
  if (typeof value !== 'object' || value === null) return [];
  const { matches } = value as { readonly matches?: unknown };
  return [...Object.values(value).flatMap(expressionsOf), ...(typeof matches === 'string' ? [matches] : [])];
}

/** @throws DescriptionError when the expressions could keep the event loop together */
export function checkExpressions({
  answer: ofAnswer,
  reports: ofReports,
  incoming: ofIncoming,
  poll: ofPoll,
}: {
  readonly answer: unknown;
  readonly reports?: { readonly each?: string | undefined } | undefined;
  readonly incoming?: { readonly each?: string | undefined } | undefined;
  readonly poll?: unknown;
}): void {
  const all = expressionsOf([ofAnswer, ofReports, ofIncoming, ofPoll]);
  const ofItems = (ofAnswer as { readonly items?: { readonly each: string } | undefined }).items;
  const size = all.reduce((sum, one) => sum + compileExpression(one).programSize(), 0);
  if (size > MAX_PROGRAMS) throw new DescriptionError('its expressions have too many repetitions together');
  const hasRe2 = (part: unknown) => JSON.stringify(part ?? null).includes('"re2:');
  if ([ofItems, ofReports, ofIncoming].some((part) => part?.each !== undefined && hasRe2(part)))
    throw new DescriptionError('re2: reads the whole body, so it cannot be used with each');
}

/** A provider's interface. */
const wholeDescription = z.strictObject({
  /** For people: the provider and its interface. */
  title: text.optional(),
  /** Channel of the messages: SMS, or calls in which the provider reads the text. */
  channel: z.enum(['sms', 'voice']).default('sms'),
  /** Names of the languages that the provider speaks, by our names. Without it, it has our names and speaks all. */
  languages: z.partialRecord(z.enum(languages), z.string().min(1).max(60)).optional(),
  send: sendDescription,
  /**
   * Whether the provider sends a request that is repeated with the same `{id}` only once. Otherwise a message whose answer was
   * lost is not sent again.
   */
  repeatable: z.boolean().default(false),
  answer,
  reports: reports.optional(),
  incoming: incoming.optional(),
  /** Requests for reports and incoming messages, for a provider that does not send them. */
  poll: polls.optional(),
  /** Signature of the provider's requests, in addition to the secret in their path. */
  signature: signatureScheme.optional(),
});
export const httpDescription = checked(wholeDescription, checkExpressions).superRefine((value, context) => {
  for (const { path, message } of answerProblems(value))
    context.addIssue({ code: 'custom', path: ['answer', ...path], message });
  for (const problem of channelProblems(value)) context.addIssue({ code: 'custom', ...problem });
  for (const kind of pollKinds)
    if (value.poll?.[kind] && !value[kind])
      context.addIssue({ code: 'custom', path: [kind], message: 'is missing: it reads the answers of poll' });
});
export type HttpDescription = z.output<typeof httpDescription>;
export type HttpDescriptionInput = z.input<typeof httpDescription>;
export type RuleDescription = z.output<typeof rule>;
