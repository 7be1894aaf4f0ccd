import { z } from 'zod';
import { because } from '../../schema-problems.ts';

/* Building blocks of request bodies that send, under /v1. */

/**
 * A text that PostgreSQL can store, with a maximum number of UTF-16 units: without NUL and without lone surrogates,
 * which UTF-8 cannot encode.
 */
export const storable = (most: number) =>
  z
    .string('must be a text')
    .max(most, `over ${most} characters`)
    .refine(
      (text) => !text.includes('\0') && text.isWellFormed(),
      because('holds NUL or half of a surrogate pair', 'not-readable'),
    );

/**
 * A time of a body, read by `timeOf`; `otherwise` ends its description. Not a transform, because a transformed schema
 * loses its example in the documentation.
 */
export const futureTime = (meaning: string, otherwise = '') =>
  z.iso
    .datetime({ offset: true, error: 'must be a time like 2026-12-31T23:59:00Z' })
    .nullish()
    .meta({ description: `${meaning}, ISO 8601 with an offset${otherwise}.`, examples: [null] });

/** Returns a `futureTime` in milliseconds since the epoch; null if absent. */
export const timeOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);
