import { z } from 'zod';
import {
  type CallChecks,
  type CallFields,
  callChecks,
  MAX_RATE,
  MAX_REPEAT,
  REPEAT,
} from '../../engine/messages/call-request.ts';
import { callTypes } from '../../engine/messages/calls.ts';
import { type Voice, voices } from '../../kit/text/voices.ts';
import { show } from '../openapi/shown.ts';
import type { Call } from './operation.ts';
import { optionalElement, optionalText, optionalWhole, whole } from './wire/fields.ts';

/* `tts` of `sms`: the message read aloud in a phone call (interface, B3). */

const voice = show(
  z.transform<unknown, Voice | undefined>((value, context) => {
    const read = optionalText.safeParse(value);
    const name = read.success ? read.data : '';
    const known = voices.find((one) => one === name);
    if (name !== undefined && !known) {
      const message = `must be ${voices.join(' or ')}`;
      context.issues.push({ code: 'custom', message, input: undefined, path: [] });
    }
    return known;
  }),
  { as: () => ({ type: 'string', enum: [...voices], default: voices[0] }) },
);

export const tts = optionalElement({
  type: whole({ min: callTypes.kosher, max: callTypes.callOnly }).describe(
    '`2`: a call to kosher phones, an SMS to all others; `3`: an SMS and a call to everyone; `4`: a call to everyone.',
  ),
  rate: optionalWhole({ min: -MAX_RATE, max: MAX_RATE }).meta({
    description: 'Speech rate, `-10` to `10`; ten steps double the speed.',
    default: 0,
  }),
  repeat: optionalWhole({ min: 1, max: MAX_REPEAT }).meta({
    description: 'Number of times that the text is spoken.',
    default: REPEAT,
  }),
  voice: voice.describe('Voice.'),
}).describe(
  'Reads the message aloud in a call. Links, the tag and removal texts are not spoken; codes, phone numbers and dates are spoken digit by digit.',
);

/** Returns the checks of a send with these call settings (engine/messages/call-request.ts). */
export const checksOfCall = (input: CallFields, message: string, call: Call): CallChecks =>
  callChecks(input, message, call.services.calls);
