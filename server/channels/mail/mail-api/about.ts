import { z } from 'zod';
import type { OperationAbout } from '../../../api/openapi/description.ts';
import {
  answerSchema,
  jsonContent,
  queryParameters,
  requestSchema,
} from '../../../api/openapi/json-schema.ts';
import { envelope, envelopeFields, type ResultId, resultMeanings, results } from './envelope.ts';

/** Documentation of an operation of the mailing-list API for callers. */
interface MailAbout {
  /** Name of the operation in generated programs. */
  readonly id: string;
  /** A few words. */
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** The schema of the body, and an example; undefined: no body. */
  readonly body?: { readonly schema: z.ZodType; readonly example: unknown };
  /** The schema of the query. */
  readonly query?: z.ZodObject;
  /** Fields of the response, without the envelope. */
  readonly answer: z.ZodRawShape;
  /** Possible results, in addition to those of every call. */
  readonly results?: readonly ResultId[];
}

const common: readonly ResultId[] = [
  results.done,
  results.unusable,
  results.signedOut,
  results.fault,
  results.later,
];

const refusal = (id: ResultId) =>
  jsonContent(answerSchema(z.object(envelopeFields)), envelope(id, resultMeanings.get(id)!));

/** Returns the documentation of an operation. */
export function aboutMail(about: MailAbout): OperationAbout {
  const schema = answerSchema(z.object({ ...envelopeFields, ...about.answer }));
  const statuses: [string, string, ResultId][] = [
    ['404', 'There is nothing at this path.', results.unusable],
    ['413', 'The body is too large.', results.unusable],
    ['429', 'The rate limit is exceeded; `Retry-After` has the seconds to wait.', results.later],
    ['500', 'Fault of the service.', results.fault],
  ];
  return {
    chapter: 'mail',
    operationId: about.id,
    summary: about.title,
    description: about.description,
    ...(about.query && { parameters: queryParameters(about.query) }),
    ...(about.body && {
      requestBody: {
        required: true,
        content: jsonContent(requestSchema(about.body.schema), about.body.example),
      },
    }),
    responses: {
      '200': {
        description: 'The operation succeeded or was refused; see `result.ResultID`.',
        content: jsonContent(schema),
      },
      ...Object.fromEntries(
        statuses.map(([status, description, id]) => [status, { description, content: refusal(id) }]),
      ),
    },
    outcomes: [...common, ...(about.results ?? [])]
      .sort((one, other) => one - other)
      .map((id) => ({ code: String(id), meaning: resultMeanings.get(id)! })),
  };
}
