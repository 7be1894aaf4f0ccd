import type { FastifyInstance } from 'fastify';
import type { AccessRule } from '../../access/rules.ts';
import { sendKeyOf } from '../../access/rules.ts';
import { SEND_KEY_HEADER, SEND_KEY_MAX_LENGTH } from '../../send-keys/key.ts';
import type { Chapter } from './chapters.ts';
import type { JsonSchema } from './shown.ts';

/*
 * What an API says of an operation, so that it stands in the description of the service. It is an operation of OpenAPI
 * 3.1, with the names of the specification, but for the chapter. Each API has one function that makes it out of the
 * schemas it validates with (sms-api/description.ts, v1/kit/description.ts).
 */

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Content {
  readonly schema: JsonSchema;
  readonly example: unknown;
}

export interface Body {
  readonly description?: string;
  /** By media type. */
  readonly content: Readonly<Record<string, Content>>;
}

/** What an answer says in its body: a status or a word, and when it does. */
export interface Outcome {
  readonly code: string;
  readonly meaning: string;
}

/** A scheme by which a request is signed in. */
export type Security = Readonly<Record<string, readonly string[]>>;

export interface OperationAbout {
  readonly chapter: Chapter;
  readonly operationId: string;
  /** A few words for the head of the page. */
  readonly summary: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** Who may call, of the schemes of the document, one of which is enough; a token without it. */
  readonly security?: readonly Security[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body & { readonly required: true };
  /** By HTTP status. */
  readonly responses: Readonly<Record<string, (Body & { readonly description: string }) | Reference>>;
  readonly outcomes: readonly Outcome[];
}

export interface Reference {
  readonly $ref: string;
}

/** An operation with where it is. */
export interface Described {
  readonly method: string;
  /** As OpenAPI writes it: `/v1/imports/{id}`. */
  readonly path: string;
  readonly about: OperationAbout;
}

/** What a route says of itself once it is known who may call it. */
export interface DescribedByRule {
  readonly operationId: string;
  readonly describe: (rule: AccessRule) => OperationAbout;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<DescribedByRule> {
    /** What the description of the service says of the route. */
    readonly about?: OperationAbout;
  }
}

/** The header that every operation takes that sends or pays (docs/send-keys.md). */
const sendKeyHeader: Parameter = {
  name: SEND_KEY_HEADER,
  in: 'header',
  description:
    'Your own key for this request: 1 to 255 printable ASCII characters, preferably a UUID. A repeated request with the same key and the same body within 24 hours returns the first response with the header `Idempotent-Replayed: true`, and is not executed again. With another body it is refused.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: SEND_KEY_MAX_LENGTH },
};

/** An operation that takes a send key. */
export const withSendKey = (about: OperationAbout): OperationAbout => ({
  ...about,
  parameters: [...(about.parameters ?? []), sendKeyHeader],
});

/**
 * Gathers the routes that are described, from those that are registered on `app` after this call (and after
 * `enforceAccess`, which tells each who may call it): what is described is what is there, with the path and the method that
 * it has. A description is made when it is read first: to make all of them takes a third of the time of a start.
 */
export function gatherRoutes(app: FastifyInstance): readonly Described[] {
  const described: Described[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const { describe, access } = config ?? {};
    const isDescribed = (describe && access) || config?.about;
    // HEAD comes with every GET by itself.
    if (!isDescribed || method === 'HEAD') return;
    const make = (): OperationAbout => {
      const said = describe && access ? describe(access) : config!.about!;
      return sendKeyOf(access) ? withSendKey(said) : said;
    };
    let made: OperationAbout | undefined;
    described.push({
      method: String(method).toLowerCase(),
      path: url.replace(/:(\w+)/g, '{$1}'),
      get about() {
        made ??= make();
        return made;
      },
    });
  });
  return described;
}
