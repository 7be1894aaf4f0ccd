import type { z } from 'zod';
import type { RefusalCode } from '../../errors.ts';
import type { Chapter } from '../openapi/chapters.ts';
import type { Content, OperationAbout, Parameter } from '../openapi/description.ts';
import type { DoorDescription } from '../openapi/document.ts';
import { answerSchema, exampleOf, requestSchema } from '../openapi/json-schema.ts';
import type { JsonSchema } from '../openapi/shown.ts';
import { httpStatusOf } from './errors.ts';

/** What is said of a route under /v1 to those who call it. */
export interface V1About {
  readonly chapter: Chapter;
  /** Names it in programs that are generated. */
  readonly id: string;
  /** A few words. */
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** What `:id` of the path is. */
  readonly pathId?: string;
  /** The schema that reads the query. */
  readonly query?: z.ZodObject;
  /** A body that is a CSV file. */
  readonly file?: { readonly description: string; readonly example: string };
  /** The answer's schema, each field with its example; a text when it is a CSV file, which is its example. */
  readonly answer: z.ZodObject | string;
  /** 200 without it. */
  readonly status?: 200 | 202;
  /** Why it may be refused, beside what every request may be refused for. */
  readonly refusals?: readonly Refused[];
}

type Refused = RefusalCode | 'not-found';

const commonRefusals: readonly Refused[] = [
  'bad-field',
  'signed-out',
  'token-expired',
  'wrong-account',
  'too-fast',
  'try-again',
];

const meanings: Partial<Record<Refused, string>> = {
  'bad-field': 'something in the query or the body cannot be used; `field` names it',
  'signed-out': 'the token is missing or not known',
  'token-expired': 'the token has expired',
  'wrong-account': '`username` is not the account of the token, and not one of its subscribers',
  'too-fast': 'over the rate limit, or too much at once',
  'try-again': 'the service cannot do this now, try again',
  'not-found': 'there is no such thing',
  'unknown-list': 'there is no such contact list',
  'too-large': 'the body is too large',
  'not-now': 'it is not in a state for that',
};

const csv = 'text/csv';
const error = { $ref: '#/components/schemas/Error' };

const username: Parameter = {
  name: 'username',
  in: 'query',
  description: 'Whom the call acts for: a subscriber of the account of the token; without it the account.',
  required: false,
  schema: { type: 'string' },
};

/** What the routes under /v1 have in common in the description. */
export const v1Description: Omit<DoorDescription, 'operations'> = {
  schemas: {
    Error: {
      type: 'object',
      properties: {
        error: {
          type: 'object',
          properties: {
            code: { type: 'string', description: 'A word for programs.' },
            message: { type: 'string', description: 'Words for people.' },
            field: { type: 'string', description: 'The field that is meant, where there is one.' },
          },
          required: ['code', 'message'],
        },
      },
      required: ['error'],
    },
  },
};

/** Options of a route under /v1 with what is said of it: `app.get(path, described({…}), handler)`. */
export function described(about: V1About): { config: { about: OperationAbout } } {
  const refusals = [...commonRefusals, ...(about.refusals ?? [])];
  const statuses = [...new Set(refusals.map(httpStatusOf))].sort();
  const success = String(about.status ?? 200);
  return {
    config: {
      about: {
        chapter: about.chapter,
        operationId: about.id,
        summary: about.title,
        description: about.description,
        parameters: [...pathParameters(about), ...queryParameters(about), username],
        ...(about.file && {
          requestBody: {
            required: true,
            description: about.file.description,
            content: { [csv]: { schema: { type: 'string' }, example: about.file.example } },
          },
        }),
        responses: {
          [success]: {
            description: about.status === 202 ? 'Accepted, and goes on by itself.' : 'Done.',
            content: answerContent(about.answer),
          },
          ...Object.fromEntries(
            statuses.map((status) => [
              status,
              {
                description: 'Refused.',
                content: {
                  'application/json': {
                    schema: error,
                    example: refusedExample(refusals.find((code) => httpStatusOf(code) === status)!),
                  },
                },
              },
            ]),
          ),
        },
        outcomes: refusals.map((code) => ({
          code: `${httpStatusOf(code)} ${code}`,
          meaning: meanings[code] ?? '',
        })),
      },
    },
  };
}

function refusedExample(code: Refused): unknown {
  return { error: { code, message: (meanings[code] ?? '').replaceAll('`', '') } };
}

function answerContent(answer: z.ZodObject | string): Record<string, Content> {
  if (typeof answer === 'string') return { [csv]: { schema: { type: 'string' }, example: answer } };
  const schema = answerSchema(answer);
  return { 'application/json': { schema, example: exampleOf(schema) } };
}

function pathParameters({ pathId }: V1About): Parameter[] {
  if (pathId === undefined) return [];
  return [{ name: 'id', in: 'path', description: pathId, required: true, schema: { type: 'string' } }];
}

function queryParameters({ query }: V1About): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = requestSchema(query);
  return Object.entries(properties).map(([name, field]) => {
    const { description = '', ...schema } = field as JsonSchema;
    // The exact form of a time is longer than the rest of its description together.
    if (schema.format === 'date-time') delete schema.pattern;
    return { name, in: 'query', description, required: required.includes(name), schema };
  });
}
