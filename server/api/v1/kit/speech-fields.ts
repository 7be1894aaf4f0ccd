import { z } from 'zod';
import { MAX_RATE } from '../../../engine/messages/call-request.ts';
import { voices } from '../../../kit/text/voices.ts';
import { field, whole } from './fields.ts';

/** Fields of the spoken voice, for `tts` and previews. */
export const speechFields = {
  voice: field(z.enum(voices, `must be ${voices.join(' or ')}`).default(voices[0]), 'Voice.', voices[0]),
  rate: field(
    whole(-MAX_RATE, MAX_RATE).default(0),
    'Speech rate, `-10` to `10`; ten steps double the speed.',
    0,
  ),
};
