import { z } from 'zod';
import { namedLookUp } from './look-up-description.ts';
import { checkRequests, usesOf } from './settings.ts';

/** Settings of a look-up of networks, with their defaults. */
export const lookUpSettings = z
  .strictObject({
    description: namedLookUp,
    /** Values of `{secret.…}`. */
    secrets: z.record(z.string(), z.string().min(1).max(4_000)).default({}),
    /** Beginnings of the numbers that are looked up, E.164 digits; '' is every number. */
    prefixes: z
      .array(z.string().regex(/^\d{0,15}$/, 'must be digits'))
      .min(1)
      .max(1_000)
      .default(['']),
    /** Milliseconds for one request; then the message takes the route of a number whose network is not known. */
    timeoutMs: z.int().min(100).max(10_000).default(2_000),
    /** Maximum number of simultaneous requests of a process. */
    window: z.int().min(1).max(200).default(20),
    /** Days for which an answer is valid that does not say it. */
    keepDays: z.int().min(1).max(90).default(7),
    /** Maximum requests of all processes in a day (UTC), because providers charge for each. */
    perDay: z.int().min(1).max(100_000_000).default(10_000),
  })
  .superRefine(({ description, secrets }, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    // A description with problems is not there.
    if (typeof description !== 'object' || description === null) return;
    const { needed } = usesOf(description, undefined);
    const missing = [...needed].filter((name) => !Object.hasOwn(secrets, name));
    for (const name of missing) problem(['secrets', name], 'is missing');
    for (const name of Object.keys(secrets))
      if (!needed.has(name)) problem(['secrets', name], 'is not used by the description');
    if (missing.length === 0) checkRequests(description, secrets, problem);
  });

export type LookUpSettings = z.output<typeof lookUpSettings>;
