import type { FastifyInstance } from 'fastify';
import type { AccessRule } from '../access/rules.ts';
import { sendKeyOf } from '../access/rules.ts';
import { SEND_KEY_HEADER, SEND_KEY_MAX_LENGTH } from '../send-keys/key.ts';
import type { Chapter } from './chapters.ts';
import type { JsonSchema } from './shown.ts';

/*
 * Description of an operation by its API: an OpenAPI 3.1 operation, with the names of the specification, except for the
 * chapter. Each API has one function that creates it from the schemas that validate requests (sms/description.ts,
 * v1/kit/description.ts).
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

/** A status or code in a response body, with its meaning. */
export interface Outcome {
  readonly code: string;
  readonly meaning: string;
}

/** A way to sign in a request. */
export type Security = Readonly<Record<string, readonly string[]>>;

export interface OperationAbout {
  readonly chapter: Chapter;
  readonly operationId: string;
  /** A few words for the heading. */
  readonly summary: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** Alternative security schemes of the document; a token by default. */
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

/** An operation with its method and path. */
export interface Described {
  readonly method: string;
  /** In OpenAPI form: `/v1/imports/{id}`. */
  readonly path: string;
  readonly about: OperationAbout;
}

/** Description of a route that depends on its access rule. */
export interface DescribedByRule {
  readonly operationId: string;
  readonly describe: (rule: AccessRule) => OperationAbout;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<DescribedByRule> {
    /** Description of the route in the API documentation. */
    readonly about?: OperationAbout;
  }
}

/** Header of all operations that send or pay (docs/send-keys.md). */
const sendKeyHeader: Parameter = {
  name: SEND_KEY_HEADER,
  in: 'header',
  description:
    'Your own key for this request: 1 to 255 printable ASCII characters, preferably a UUID. A repeated request with the same key and the same body within 24 hours returns the first response with the header `Idempotent-Replayed: true`, and is not executed again. With another body it is refused.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: SEND_KEY_MAX_LENGTH },
};

/** Adds the send key to an operation. */
export const withSendKey = (about: OperationAbout): OperationAbout => ({
  ...about,
  parameters: [...(about.parameters ?? []), sendKeyHeader],
});

/**
 * Collects the described routes, from those registered on `app` after this call (and after `enforceAccess`, which adds
 * their access rules). So the documentation contains exactly the existing routes, with their paths and methods. A
 * description is created when it is first read, because creating all of them takes a third of the start time.
 */
export function gatherRoutes(app: FastifyInstance): readonly Described[] {
  const described: Described[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const { describe, access } = config ?? {};
    const isDescribed = (describe && access) || config?.about;
    // Fastify adds HEAD to every GET.
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
