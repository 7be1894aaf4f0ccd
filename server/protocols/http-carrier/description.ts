import { z } from 'zod';
import { compileExpression, compileLocator } from './locator.ts';
import { signatureScheme } from './signature-settings.ts';
import { DescriptionError, Template, type TemplatePlace } from './template.ts';

/*
 * The description of a provider's HTTP interface, as docs/http-carriers.md explains it. Everything is data from closed lists; the
 * schema compiles each template, locator and expression, so a description that was read cannot fail later.
 */

const MAX_TEXT = 2_000;
const MAX_ENTRIES = 50;
/** Maximum rules of an answer. */
export const MAX_RULES = 100;
const MAX_BODY_DEPTH = 12;
/** Instructions of all RE2 programs together: three of the longest, which take 90 ms of the event loop. */
const MAX_PROGRAMS = 750;

/** Reports the DescriptionError of a check as a problem of the field. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  check: (value: z.output<Schema>) => unknown,
): Schema {
  return schema.superRefine((value, context) => {
    try {
      check(value);
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });
}

/** A text of a description. */
export const text = z.string().max(MAX_TEXT);
const template = (place: TemplatePlace) => checked(text, (value) => new Template(value, place));
/** A place of a value. */
export const locator = checked(text, compileLocator);
const expression = checked(text, compileExpression);
const pointer = checked(text.startsWith('/', 'must be a JSON Pointer, like /messages/*'), compileLocator);
/** One place, or several of which the first with a value counts. */
const places = z.union([locator, z.array(locator).min(1).max(10)]);

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}$/, 'is no name of a header');
const entries = (place: TemplatePlace) =>
  z
    .record(z.string().min(1).max(100), template(place))
    .refine((given) => Object.keys(given).length <= MAX_ENTRIES, `has more than ${MAX_ENTRIES} entries`);

/** A JSON value whose texts are templates. */
export type JsonTemplate =
  | string
  | number
  | boolean
  | null
  | readonly JsonTemplate[]
  | { readonly [name: string]: JsonTemplate };

const jsonTemplate = checked(
  z.custom<JsonTemplate>((value) => value !== undefined),
  (value) => checkJson(value, 0),
);

function checkJson(value: JsonTemplate, depth: number): void {
  if (depth > MAX_BODY_DEPTH) throw new DescriptionError(`is nested more than ${MAX_BODY_DEPTH} levels deep`);
  if (typeof value === 'string') new Template(value, 'json');
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) checkJson(inner, depth + 1);
}

const body = z.union(
  [
    z.strictObject({ form: entries('form') }),
    z.strictObject({ json: jsonTemplate }),
    z.strictObject({ xml: template('xml') }),
  ],
  'must be one of {"form": …}, {"json": …} and {"xml": …}',
);

/** Authentication of requests. A key can also be in a header or the query. */
const authentication = z.union(
  [
    z.strictObject({ basic: z.tuple([template('plain'), template('plain')]) }),
    z.strictObject({ bearer: template('header') }),
    z.strictObject({
      /** OAuth 2.0 client credentials (RFC 6749, 4.4). */
      oauth: z.strictObject({
        url: template('path'),
        client: template('plain'),
        secret: template('plain'),
        scope: text.optional(),
      }),
    }),
  ],
  'must be one of {"basic": [user, password]}, {"bearer": token} and {"oauth": …}',
);

/** A request to a provider. */
export const sendDescription = z.strictObject({
  method: z.enum(['POST', 'GET']).default('POST'),
  /** Its origin may contain secrets, but nothing of a message. */
  url: template('path'),
  query: entries('query').default({}),
  headers: z.record(headerName, template('header')).default({}),
  body: body.optional(),
  auth: authentication.optional(),
});

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

/** Statuses of messages, by the names that descriptions use. */
export const stateNames = [
  'sent',
  'delivered',
  'undelivered',
  'expired',
  'rejected',
  'deleted',
  'failed',
  'unreachable',
  'unknown',
] as const;
export type StateName = (typeof stateNames)[number];
const state = z.enum(stateNames, `must be one of ${stateNames.join(', ')}`);

const rule = z
  .strictObject({
    when: condition,
    // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
    then: z.enum(['accepted', 'refused', 'throttled', 'again', 'unknown']),
    /** Place of the time to wait: seconds, or a date. Default: the header Retry-After. */
    afterAt: locator.optional(),
    /** Status of a refused message. */
    as: z.enum(['rejected', 'undelivered', 'unreachable']).optional(),
    /** The provider accepts nothing from this account: messages use other connectors until it does. */
    fault: z.enum(['access', 'rejected']).optional(),
  })
  .superRefine((value, context) => {
    if (value.as !== undefined && value.then !== 'refused')
      context.addIssue({ code: 'custom', path: ['as'], message: 'is only for "then": "refused"' });
    if (value.fault !== undefined && value.then !== 'again')
      context.addIssue({ code: 'custom', path: ['fault'], message: 'is only for "then": "again"' });
  });

const answer = z.strictObject({
  /** The first rule that matches decides; without a match the outcome is unknown. */
  rules: z.array(rule).min(1).max(MAX_RULES),
  /** Places of the message ids: one for each part. Without it, reports carry the id of the request (`{id}`). */
  id: locator.optional(),
  code: places.optional(),
  parts: locator.optional(),
  price: locator.optional(),
});

const reports = z.strictObject({
  /** Items of a request with many; locators that are JSON Pointers are relative to an item. */
  each: pointer.optional(),
  /** Items or requests that do not match are no reports. */
  when: condition.optional(),
  id: locator,
  status: locator,
  states: z.record(z.string().max(100), state),
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
}: {
  readonly answer: unknown;
  readonly reports?: { readonly each?: string | undefined } | undefined;
  readonly incoming?: { readonly each?: string | undefined } | undefined;
}): void {
  const all = expressionsOf([ofAnswer, ofReports, ofIncoming]);
  const size = all.reduce((sum, one) => sum + compileExpression(one).programSize(), 0);
  if (size > MAX_PROGRAMS) throw new DescriptionError('its expressions have too many repetitions together');
  const hasRe2 = (part: unknown) => JSON.stringify(part ?? null).includes('"re2:');
  if ([ofReports, ofIncoming].some((part) => part?.each !== undefined && hasRe2(part)))
    throw new DescriptionError('re2: reads the whole body, so it cannot be used with each');
}

/** A provider's interface. */
const wholeDescription = z.strictObject({
  /** For people: the provider and its interface. */
  title: text.optional(),
  send: sendDescription,
  /**
   * Whether the provider sends a request that is repeated with the same `{id}` only once. Otherwise a message whose answer was
   * lost is not sent again.
   */
  repeatable: z.boolean().default(false),
  answer,
  reports: reports.optional(),
  incoming: incoming.optional(),
  /** Signature of the provider's requests, in addition to the secret in their path. */
  signature: signatureScheme.optional(),
});
export const httpDescription = checked(wholeDescription, checkExpressions);
export type HttpDescription = z.output<typeof httpDescription>;
export type HttpDescriptionInput = z.input<typeof httpDescription>;
export type RuleDescription = z.output<typeof rule>;
