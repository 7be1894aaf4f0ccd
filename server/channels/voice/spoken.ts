import { z } from 'zod';
import { voices } from './speech/engine.ts';

/** What a call says, as it stands with its shipment (CallWish). */
const wish = z.object({
  text: z.string(),
  voice: z.enum(voices),
  rate: z.int().min(-10).max(10),
  repeat: z.int().min(1),
});

export type SpokenWish = z.output<typeof wish>;

/** Reads what a call is to say. Throws when it is no call. */
export const readSpoken = (stored: unknown): SpokenWish => wish.parse(stored);
