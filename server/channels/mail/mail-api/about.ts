import { z } from 'zod';
import type { OperationAbout } from '../../../interfaces/openapi/description.ts';
import {
  answerSchema,
  jsonContent,
  queryParameters,
  requestSchema,
} from '../../../interfaces/openapi/json-schema.ts';
import { envelope, envelopeFields, type ResultId, resultMeanings, results } from './envelope.ts';

/** What is said of an operation of the mailing-list API to those who call it. */
interface MailAbout {
  /** Names it in programs that are generated. */
  readonly id: string;
  /** A few words. */
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** The schema that reads the body, and a body; undefined: it has none. */
  readonly body?: { readonly schema: z.ZodType; readonly example: unknown };
  /** The schema that reads the query. */
  readonly query?: z.ZodObject;
  /** What the answer has beside the envelope. */
  readonly answer: z.ZodRawShape;
  /** Results beside those that every call may have. */
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

/** What the description of the service says of an operation. */
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
