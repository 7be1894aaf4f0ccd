import { z } from 'zod';
import { pointerSteps } from './locator.ts';
import { pointer } from './schema-parts.ts';
import { DescriptionError, type JsonTemplate, type PlaceholderName, Template } from './template.ts';

/* Requests with several messages: where they are in the body, and which parts of a description must fit. */

/** Maximum messages of a request: writing it and reading its answer takes a few milliseconds of the event loop. */
const MAX_BATCH = 500;
/**
 * Default milliseconds that a message waits for others. Providers take longer than this for a request, so the wait is not felt
 * (docs/performance.md, "HTTP carriers"). The maximum is for providers that permit few requests.
 */
const DEFAULT_WAIT = 20;
const MAX_WAIT = 1_000;

export const batch = z.strictObject({
  /** Place of the list in the JSON body. Its only element is the template of each message. */
  list: pointer,
  max: z.int().min(2).max(MAX_BATCH),
  /** Milliseconds that a message waits for others while requests are under way. */
  wait: z.int().min(0).max(MAX_WAIT).default(DEFAULT_WAIT),
});

interface Problem {
  readonly path: (string | number)[];
  readonly message: string;
}

interface SendFields {
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly json: JsonTemplate } | object | undefined;
  readonly batch?: z.output<typeof batch> | undefined;
}

/** Placeholders that are the same for all messages. */
const shared: ReadonlySet<PlaceholderName> = new Set<PlaceholderName>(['origin']);

/** Returns why a request cannot have several messages; nothing if it can, has one, or has another problem. */
export function batchProblems(send: SendFields): Problem[] {
  try {
    return problemsOf(send);
  } catch (error) {
    // The check of the field reports a text that cannot be compiled.
    if (error instanceof DescriptionError) return [];
    throw error;
  }
}

function problemsOf({ url, query, headers, body, batch: given }: SendFields): Problem[] {
  if (!given) return [];
  if (!body || !('json' in body)) return [{ path: ['list'], message: 'needs a JSON body' }];
  const steps = pointerSteps(given.list);
  const list = steps.reduce<JsonTemplate | undefined>(memberOf, body.json);
  const [element, ...others] = Array.isArray(list) ? (list as readonly JsonTemplate[]) : [];
  if (typeof element !== 'object' || element === null || others.length > 0)
    return [
      { path: ['list'], message: 'must be a list of the body with one object, the template of a message' },
    ];
  const outside = [url, ...Object.values(query), ...Object.values(headers), ...textsOutside(body.json, steps)]
    .flatMap((text) => new Template(text, 'plain').names)
    .find((name) => !shared.has(name));
  if (outside === undefined) return [];
  return [{ path: ['list'], message: `{${outside}} is of one message, and outside of this list` }];
}

interface AnswerFields {
  readonly send: { readonly batch?: unknown };
  readonly answer: {
    readonly rules: readonly { readonly then: string }[];
    readonly id?: unknown;
    readonly parts?: unknown;
    readonly price?: unknown;
    readonly items?: unknown;
  };
}

/** Returns what of the answer does not fit a request with one message, or with several. */
export function answerProblems({ send, answer }: AnswerFields): Problem[] {
  if (!send.batch)
    return answer.items === undefined ? [] : [{ path: ['items'], message: 'is only for send.batch' }];
  const ofOne = (['id', 'parts', 'price'] as const).find((name) => answer[name] !== undefined);
  if (ofOne) return [{ path: [ofOne], message: 'is of one message; with send.batch it belongs to items' }];
  const accepted = answer.rules.findIndex(({ then }) => then === 'accepted');
  if (accepted === -1 || answer.items === undefined) return [];
  return [
    { path: ['rules', accepted, 'then'], message: 'only results can be accepted, by the rules of items' },
  ];
}

const memberOf = (value: JsonTemplate | undefined, step: string): JsonTemplate | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, JsonTemplate>>)[step]
    : undefined;

/** Returns the texts of a body that are not in the list. */
function textsOutside(value: JsonTemplate, steps: readonly string[] | undefined): string[] {
  if (steps?.length === 0) return [];
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOutside(inner as JsonTemplate, steps?.[0] === name ? steps.slice(1) : undefined),
  );
}
