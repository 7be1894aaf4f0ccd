import { z } from 'zod';
import { MASK } from '../../engine/messages/secret-text.ts';
import type { Principal } from '../access/decide.ts';
import { type FieldKind, fieldRules, maySee } from '../access/fields.ts';

/*
 * Rights to fields of responses. A field names its kind in its schema (`sensitive`). From the schema of the whole
 * response, each route gets a function that masks these fields for callers without the right. The code of the route
 * does not have to do anything.
 */

/** Masks a response for a caller; does not change the given response. */
export type AnswerMask = (answer: unknown, principal: Principal) => unknown;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Masks the responses of the route; undefined if it has no sensitive fields. */
    readonly mask?: AnswerMask | undefined;
  }
}

const kinds = z.registry<{ readonly kind: MaskedKind }>();

/** Replacement of a kind for callers without the right, with its description. */
interface Masking {
  readonly says: string;
  readonly mask: (value: unknown) => unknown;
}

const nothing: Masking = { says: 'null', mask: () => null };
const dots: Masking = { says: `\`${MASK}\``, mask: (text) => (text === '' ? '' : MASK) };
const empty: Masking = { says: 'empty', mask: () => '' };
const hostAlone: Masking = {
  says: `only the host and \`${MASK}\``,
  mask: (url) => maskUrl(String(url)),
};

/** Returns the masking of a field of a kind. An optional text becomes absent. */
function maskingOf(kind: MaskedKind, schema: z.core.$ZodType): Masking {
  switch (kind) {
    case 'message-text':
    case 'conversation-text':
      return schema._zod.def.type === 'nullable' ? nothing : dots;
    case 'template-sample':
      return empty;
    case 'delivery-content':
      return dots;
    case 'webhook-url':
    case 'link-target':
      return hostAlone;
  }
}

/** Kinds of single fields; simulated phones are refused as a whole. */
type MaskedKind = Exclude<FieldKind, 'simulated-phone'>;

/** Names the kind of a sensitive field in the OpenAPI document. */
export const SENSITIVE = 'x-sensitive';

/** Marks a field of a response that some callers of its route may not read, by the table of api/access/fields.ts. */
export function sensitive<T extends z.ZodType>(schema: T, kind: MaskedKind): T {
  const { roles, scopes } = fieldRules[kind];
  const who = `the role ${roles.map((role) => `\`${role}\``).join(' or ')} or a token with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`;
  const meta = schema.meta();
  const description = `${meta?.description ?? ''} Without ${who}: ${maskingOf(kind, schema).says}.`.trim();
  const marked = schema.meta({ ...meta, description, [SENSITIVE]: kind });
  kinds.add(marked, { kind });
  return marked;
}

/** Returns the function that masks responses of a schema; undefined if none of its fields is sensitive. */
export function maskOf(schema: z.core.$ZodType): AnswerMask | undefined {
  const kind = kinds.get(schema)?.kind;
  if (kind !== undefined) {
    const { mask } = maskingOf(kind, schema);
    return (value, principal) =>
      value === null || value === undefined || maySee(kind, principal) ? value : mask(value);
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return maskOfObject(def.shape);
    case 'array':
      return maskOfEach(maskOf(def.element));
    case 'nullable':
    case 'optional':
    case 'readonly':
    case 'default':
      return maskOf(def.innerType);
    case 'union':
      return all(def.options.map((option) => maskOf(option)));
    default:
      return undefined;
  }
}

function maskOfObject(shape: z.core.$ZodShape): AnswerMask | undefined {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const mask = maskOf(field);
    return mask ? [[name, mask] as const] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, principal) => {
    if (typeof value !== 'object' || value === null) return value;
    const masked: Record<string, unknown> = { ...value };
    for (const [name, mask] of fields) {
      if (Object.hasOwn(masked, name)) masked[name] = mask(masked[name], principal);
    }
    return masked;
  };
}

function maskOfEach(mask: AnswerMask | undefined): AnswerMask | undefined {
  if (!mask) return undefined;
  return (value, principal) => (Array.isArray(value) ? value.map((one) => mask(one, principal)) : value);
}

function all(masksOfOptions: readonly (AnswerMask | undefined)[]): AnswerMask | undefined {
  const some = masksOfOptions.filter((mask) => mask !== undefined);
  if (some.length === 0) return undefined;
  return (value, principal) => some.reduce((masked, mask) => mask(masked, principal), value);
}

/** Removes the parts of a URL that may be keys: user name and password, path and query. */
function maskUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url === '' ? '' : MASK;
  const bare = `${parsed.protocol}//${parsed.host}/`;
  return parsed.href === bare ? url : `${bare}${MASK}`;
}
