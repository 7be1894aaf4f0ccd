import { z } from 'zod';
import { compileExpression, compileLocator } from './locator.ts';
import { DescriptionError, type JsonTemplate, pollNames, Template, type TemplatePlace } from './template.ts';

/* Fields that the parts of a description share. */

const MAX_TEXT = 2_000;
const MAX_ENTRIES = 50;
const MAX_BODY_DEPTH = 12;

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

export const text = z.string().max(MAX_TEXT);
/**
 * Checks a text of a message's request.
 *
 * @throws DescriptionError
 */
export function checkTemplate(value: string, place: TemplatePlace): void {
  const foreign = new Template(value, place).names.find((name) =>
    (pollNames as readonly string[]).includes(name),
  );
  if (foreign !== undefined) throw new DescriptionError(`{${foreign}} is only for poll`);
}
export const template = (place: TemplatePlace) => checked(text, (value) => checkTemplate(value, place));
/** A text that is the same for all messages: its only placeholders are secrets. */
export const secretTemplate = (place: TemplatePlace) =>
  checked(text, (value) => {
    if (new Template(value, place).names.length > 0)
      throw new DescriptionError('may contain secrets, but nothing of a message');
  });
export const locator = checked(text, compileLocator);
export const expression = checked(text, compileExpression);
export const pointer = checked(
  text.startsWith('/', 'must be a JSON Pointer, like /messages/*'),
  compileLocator,
);
/** One place, or several of which the first with a value counts. */
export const places = z.union([locator, z.array(locator).min(1).max(10)]);

export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}$/, 'is no name of a header');
/** Fields by name, each with a text of this schema. */
export const entriesOf = (value: z.ZodType<string, string>) =>
  z
    .record(z.string().min(1).max(100), value)
    .refine((given) => Object.keys(given).length <= MAX_ENTRIES, `has more than ${MAX_ENTRIES} entries`);
export const entries = (place: TemplatePlace) => entriesOf(template(place));

/** A JSON value whose texts are templates. `check` throws DescriptionError for a text that cannot be in it. */
export const jsonOf = (check: (value: string) => void) =>
  checked(
    z.custom<JsonTemplate>((value) => value !== undefined),
    (value) => checkJson(value, 0, check),
  );

function checkJson(value: JsonTemplate, depth: number, check: (value: string) => void): void {
  if (depth > MAX_BODY_DEPTH) throw new DescriptionError(`is nested more than ${MAX_BODY_DEPTH} levels deep`);
  if (typeof value === 'string') check(value);
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) checkJson(inner, depth + 1, check);
}

export const secretName = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/, 'must be the name of a secret: letters and digits');
