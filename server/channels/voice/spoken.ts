import { z } from 'zod';
import { voices } from '../../kit/text/voices.ts';

/** Text and voice of a call, as stored with its shipment (CallInput). */
const input = z.object({
  text: z.string(),
  voice: z.enum(voices),
  rate: z.int().min(-10).max(10),
  repeat: z.int().min(1),
});

export type SpokenInput = z.output<typeof input>;

/** Parses the stored text and voice of a call. Throws for a value that is not a call. */
export const readSpoken = (stored: unknown): SpokenInput => input.parse(stored);
