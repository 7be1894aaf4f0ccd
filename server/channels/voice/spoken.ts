import { z } from 'zod';
import { voices } from '../../text/voices.ts';

/** What a call says, as it stands with its shipment (CallInput). */
const input = z.object({
  text: z.string(),
  voice: z.enum(voices),
  rate: z.int().min(-10).max(10),
  repeat: z.int().min(1),
});

export type SpokenInput = z.output<typeof input>;

/** Reads what a call is to say. Throws when it is no call. */
export const readSpoken = (stored: unknown): SpokenInput => input.parse(stored);
