import { z } from 'zod';
import type { VoiceRoom } from '../../channels/voice/room.ts';
import { SpeechError, voices } from '../../channels/voice/speech/engine.ts';
import { readAloud } from '../../channels/voice/speech/read-aloud.ts';
import { Refusal } from '../../errors.ts';
import { RATE_MOST } from '../../messages/call-request.ts';
import { MESSAGE_MOST } from '../../messages/send-request.ts';
import { limitRate } from '../rate-limit.ts';
import { described } from './about.ts';
import { read, type V1Part } from './door.ts';
import { withBody } from './json-body.ts';
import { storable } from './sending-fields.ts';

/** Of one account in a second: calls wait for the same engine. */
const PREVIEWS_A_SECOND = 2;

/** How it sounds: fields of `tts`, and of a preview. */
export const speechFields = {
  voice: z
    .enum(voices, `must be ${voices.join(' or ')}`)
    .default(voices[0])
    .meta({ description: 'Who says it.', examples: [voices[0]] }),
  rate: z
    .int('must be a whole number')
    .min(-RATE_MOST, `must be ${-RATE_MOST} or more`)
    .max(RATE_MOST, `must be ${RATE_MOST} or less`)
    .default(0)
    .meta({
      description: 'How fast, `-10` to `10`; ten steps are twice as fast.',
      examples: [0],
    }),
};

const body = z.object({
  text: storable(MESSAGE_MOST).meta({ description: 'The text.', examples: ['Your code is 4829'] }),
  ...speechFields,
});

/**
 * Speech under /v1, a part of the door:
 * - `POST /speech/preview`: a text as a call says it, as a WAV
 */
export function speechPart({
  voice,
}: {
  readonly voice: Pick<VoiceRoom, 'preview' | 'speechProblem'>;
}): V1Part {
  return (app, accountOf) => {
    const limit = limitRate(app, PREVIEWS_A_SECOND, (request) => `speech ${accountOf(request).id}`);

    app.post(
      '/speech/preview',
      withBody(
        described({
          chapter: 'sending',
          id: 'previewSpeech',
          title: 'Hear a text',
          description:
            'A text as a call says it once, as a WAV of 8 kHz: what the telephone network leaves of it. Nobody is called, and it costs nothing. Twice a second at most.',
          answer: { audio: 'audio/wav' },
          refusals: ['bad-message'],
        }),
        body,
      ),
      async (request, reply) => {
        const { text, voice: name, rate } = read(body, request.body);
        await limit(request, reply);
        if (readAloud(text).text === '') {
          throw new Refusal('bad-message', 'nothing of it can be read aloud', 'text');
        }
        const problem = await voice.speechProblem();
        if (problem !== undefined) throw new Refusal('not-allowed', `nothing can be spoken here: ${problem}`);
        const wav = await voice.preview({ text, voice: name, rate }).catch((error: unknown) => {
          throw error instanceof SpeechError ? new Refusal('try-again', error.message) : error;
        });
        return reply.type('audio/wav').header('cache-control', 'no-store').send(wav);
      },
    );
  };
}
