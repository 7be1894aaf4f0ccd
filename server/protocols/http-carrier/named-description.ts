import { z } from 'zod';

/**
 * Returns the schema of a setting that is a description, or the name of a ready one.
 *
 * @param ready returns a ready description, unchecked; undefined for an unknown name
 */
export const namedDescription = <Schema extends z.ZodType>(
  schema: Schema,
  ready: (name: string) => unknown,
  names: readonly string[],
) =>
  z.unknown().transform((given, context): z.output<Schema> => {
    const description = typeof given === 'string' ? ready(given) : given;
    if (description === undefined) {
      const message =
        given === undefined
          ? 'is missing'
          : `no description has this name; use an object or one of ${names.join(', ')}`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    const read = schema.safeParse(description);
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues)
      context.addIssue({ code: 'custom', path: [...path], message });
    return z.NEVER;
  });
