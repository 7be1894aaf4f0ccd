import { z } from 'zod';
import type { OutgoingMessage } from '../../carriers/carrier.ts';
import { voices } from './speech/engine.ts';

/** What a call says, as it stands with its shipment (CallWish). */
const wish = z.object({
  text: z.string(),
  voice: z.enum(voices),
  rate: z.int().min(-10).max(10),
  repeat: z.int().min(1),
});

export type SpokenWish = z.output<typeof wish>;

/** What a trunk is to say, read of what it was handed. Throws when it is no call. */
export function readSpoken(message: Pick<OutgoingMessage, 'text'>): SpokenWish {
  return wish.parse(JSON.parse(message.text));
}
