import { z } from 'zod';
import { because } from '../../schema-problems.ts';

/* Blocks of the bodies of sends under /v1. */

/** A text of at most so many UTF-16 units that PostgreSQL can keep: it has no NUL, and lone surrogates no UTF-8 form. */
export const storable = (most: number) =>
  z
    .string('must be a text')
    .max(most, `over ${most} characters`)
    .refine(
      (text) => !text.includes('\0') && text.isWellFormed(),
      because('holds NUL or half of a surrogate pair', 'not-readable'),
    );

/** A time of a body, read by `timeOf`; `otherwise` ends its description. No transform: what is made of one is described without its example. */
export const futureTime = (meaning: string, otherwise = '') =>
  z.iso
    .datetime({ offset: true, error: 'must be a time like 2026-12-31T23:59:00Z' })
    .nullish()
    .meta({ description: `${meaning}, ISO 8601 with an offset${otherwise}.`, examples: [null] });

/** A `futureTime` in milliseconds since the epoch; null when it is not given. */
export const timeOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);
