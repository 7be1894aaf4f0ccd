import { z } from 'zod';
import type { OperationAbout, Outcome, Parameter } from '../../../api/openapi/description.ts';
import { answerSchema, jsonContent, requestSchema } from '../../../api/openapi/json-schema.ts';
import type { JsonSchema } from '../../../api/openapi/shown.ts';
import type { Content } from './fields.ts';
import { sendKey } from './operation.ts';

/** Documentation of an operation of the chat API for callers. */
interface ChatAbout {
  /** Name of the operation in generated programs. */
  readonly id: string;
  /** A few words. */
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  readonly answer: z.ZodObject;
  readonly outcomes: readonly Outcome[];
}

interface PostAbout extends ChatAbout {
  /** Alternative path segments. */
  readonly aliases: readonly string[];
  readonly schema: z.ZodObject;
  /** Numbered fields, which the schema does not list one by one. */
  readonly numbered?: JsonSchema;
  readonly example: Content;
}

/** In responses of sending operations. */
export const repeated = z.boolean().optional().meta({
  description:
    '`true` for the repeated response of an earlier request with the same send key; nothing was sent now. Absent otherwise.',
  examples: [],
});

const message = (text: string) => ({ success: false, message: text });

const responses = {
  '400': ['The body is not JSON; reason 2.', message('the body is not valid JSON')],
  '401': ['The token is missing, unknown or expired.', message('user name, password or token is wrong')],
  '413': ['The body is over 10 MiB; reason 2.', message('the body is over 10 MiB')],
  '429': [
    "The rate limit is exceeded; the body has the operation's reason for it. `Retry-After` has the seconds to wait.",
    message('too many requests, try again in a second'),
  ],
} as const;

const refused: JsonSchema = {
  type: 'object',
  properties: {
    success: { type: 'boolean', description: 'false' },
    message: { type: 'string', description: 'Description of the error; it names the field.' },
  },
  required: ['success', 'message'],
};

/** Returns the documentation of a `POST`. */
export function aboutPost(about: PostAbout): OperationAbout {
  const schema = requestSchema(about.schema.extend({ send_key: sendKey }));
  const { properties, required = [], ...numbered } = about.numbered ?? {};
  const whole = {
    ...schema,
    ...numbered,
    properties: { ...schema.properties, ...properties },
    required: [...(schema.required ?? []), ...required],
  };
  const also = about.aliases.map((path) => `\`${path}\``).join(' and ');
  return {
    ...common(about, ['400', '401', '413', '429']),
    ...(also !== '' && { description: `${about.description} Also available as ${also}.` }),
    requestBody: {
      required: true,
      content: jsonContent(whole, about.example),
    },
  };
}

/** Returns the documentation of a `GET`. */
export function aboutGet(about: ChatAbout & { parameters: readonly Parameter[] }): OperationAbout {
  return { ...common(about, ['401', '429']), parameters: about.parameters };
}

function common(about: ChatAbout, statuses: readonly (keyof typeof responses)[]): OperationAbout {
  const schema = answerSchema(about.answer);
  return {
    chapter: 'chat',
    operationId: about.id,
    summary: about.title,
    description: about.description,
    responses: {
      '200': {
        description: 'The request was accepted or refused; see `success`.',
        content: jsonContent(schema),
      },
      ...Object.fromEntries(
        statuses.map((status) => {
          const [description, example] = responses[status];
          return [status, { description, content: jsonContent(refused, example) }];
        }),
      ),
    },
    outcomes: about.outcomes,
  };
}
