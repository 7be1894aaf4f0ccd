import { z } from 'zod';
import {
  type Content,
  type Described,
  type OperationAbout,
  type Outcome,
  withSendKey,
} from '../openapi/description.ts';
import type { ApiDescription } from '../openapi/document.ts';
import { answerSchema, exampleOf, requestSchema } from '../openapi/json-schema.ts';
import type { JsonSchema } from '../openapi/shown.ts';
import type { Operation } from './operation.ts';
import { FAULT, type SmsRefusalCode, statusCodes } from './status-codes.ts';
import { statusMeanings } from './status-meanings.ts';
import { type AnswerFields, entryName } from './wire/encode.ts';
import { xmlAnswer, xmlRequest } from './wire/examples.ts';

/** In responses of operations that send or pay. */
const repeated = z.int().optional().meta({
  description:
    '`1` for the repeated response of an earlier request with the same send key; nothing was done now. Absent otherwise.',
  // Absent from the example, because requests without a key do not get it.
  examples: [],
});

/** Possible refusals of every operation; those of a single one are in its `refusals`. */
const commonRefusals: readonly SmsRefusalCode[] = [
  'unreadable',
  'bad-field',
  'signed-out',
  'try-again',
  'token-expired',
  'wrong-account',
];

const refused: JsonSchema = {
  type: 'object',
  description:
    'Reason for the refusal. In XML inside the root of the request, or in `response` if the request has no root.',
  properties: { status: { type: 'integer' }, message: { type: 'string' } },
  required: ['status', 'message'],
};

const otherResponses = {
  TooLarge: [
    'The body is over 10 MiB.',
    { status: statusCodes['too-large'], message: 'the request is over 10 MiB' },
  ],
  TooFast: [
    'The rate limit is exceeded; `Retry-After` has the seconds to wait.',
    { status: statusCodes['too-fast'], message: 'too many requests, try again in a second' },
  ],
  Fault: [
    'A fault of the service.',
    { status: FAULT, message: 'fault of the service, quote request 0197f1c2-8a4e-7bd0-9c55-3f1d2e6a7b80' },
  ],
} as const;

/**
 * Describes the operations of `POST /api` for OpenAPI, each as `/api#<root>`: OpenAPI permits one operation per path
 * and method, and clients and generators drop the fragment when sending. (A single operation with a `oneOf` of all
 * roots would be equivalent, but documentation shows it as one page and generators make one function of it.) The
 * schemas are those of JSON. In XML the root is the element, attributes are marked, and lists of a response are
 * wrapped.
 */
export function describeSmsApi(operations: readonly Operation[]): ApiDescription {
  const schemas: Record<string, JsonSchema> = { Refused: refused };
  const described = operations.map((operation): Described => {
    const { schema, roots, refusals = [] } = operation;
    const root = roots[0]!;
    schemas[root] = { ...requestSchema(schema), xml: { name: root } };
    const takesKey = operation.access.sendKey !== undefined;
    const answered = takesKey ? operation.answer.extend({ repeated }) : operation.answer;
    const answer = wrapLists(answerSchema(answered));
    schemas[`${root}Answer`] = { ...partly(answer), xml: { name: root } };
    const fields = exampleOf(answer) as AnswerFields;
    const described: OperationAbout = {
      chapter: operation.chapter,
      operationId: root,
      summary: operation.title,
      description: [
        operation.description,
        ...roots.slice(1).map((other) => `Also available as \`${other}\`.`),
      ].join(' '),
      requestBody: { required: true, content: requestBody(root, exampleRequest(operation)) },
      responses: {
        '200': {
          description:
            'The request was accepted, or refused with another status and without the other fields.',
          content: bothForms({ $ref: `#/components/schemas/${root}Answer` }, fields, xmlAnswer(root, fields)),
        },
        '413': { $ref: '#/components/responses/TooLarge' },
        '429': { $ref: '#/components/responses/TooFast' },
        '500': { $ref: '#/components/responses/Fault' },
      },
      outcomes: outcomesOf(fields.status as number, [...commonRefusals, ...refusals]),
    };
    return {
      method: 'post',
      path: `/api#${root}`,
      about: takesKey ? withSendKey(described) : described,
    };
  });
  const responses = Object.fromEntries(
    Object.entries(otherResponses).map(([name, [description, fields]]) => [
      name,
      {
        description,
        content: bothForms({ $ref: '#/components/schemas/Refused' }, fields, xmlAnswer('response', fields)),
      },
    ]),
  );
  return { operations: described, schemas, responses };
}

/** Returns the content of an operation's example, `user` first. */
export function exampleRequest({ example }: Operation): Readonly<Record<string, unknown>> {
  return { user: { username: 'demo' }, ...example };
}

function requestBody(root: string, example: Readonly<Record<string, unknown>>) {
  const $ref = `#/components/schemas/${root}`;
  return {
    'application/json': {
      schema: { type: 'object', properties: { [root]: { $ref } }, required: [root] },
      example: { [root]: example },
    },
    'application/xml': { schema: { $ref }, example: xmlRequest(root, example) },
  } satisfies Record<string, Content>;
}

function bothForms(schema: JsonSchema, json: AnswerFields, xml: string): Record<string, Content> {
  return {
    'application/json': { schema, example: json },
    'application/xml': { schema, example: xml },
  };
}

/** A refusal has only `status` and `message`. */
function partly(answer: JsonSchema): JsonSchema {
  const required = ['status', 'message'].filter((name) => name in answer.properties!);
  return { ...answer, required };
}

/** In XML a list in a response is an element with one child element per entry. */
function wrapLists(answer: JsonSchema): JsonSchema {
  const properties = Object.entries(answer.properties ?? {}).map(([name, field]) => {
    const { items, ...list } = field as JsonSchema;
    if (!items) return [name, field];
    return [
      name,
      {
        ...list,
        items: { ...(items as JsonSchema), xml: { name: entryName(name) } },
        xml: { wrapped: true },
      },
    ];
  });
  return { ...answer, properties: Object.fromEntries(properties) };
}

function outcomesOf(success: number, refusals: readonly SmsRefusalCode[]): Outcome[] {
  const statuses = new Set([success, ...refusals.map((code) => statusCodes[code]), FAULT]);
  return [...statuses]
    .sort((a, b) => (a === success ? -1 : b === success ? 1 : a - b))
    .map((status) => ({ code: String(status), meaning: statusMeanings.get(status)! }));
}
