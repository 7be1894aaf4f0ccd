import { z } from 'zod';
import { dailyWork, reads } from '../../api/access/rules.ts';
import { field } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { speechFields } from '../../api/v1/kit/speech-fields.ts';
import { storable } from '../../api/v1/kit/text-fields.ts';
import type { Gate } from '../../engine/gate/gate.ts';
import { MAX_MESSAGE } from '../../engine/messages/send-request.ts';
import { Refusal } from '../../kit/errors.ts';
import { readAloud } from '../../kit/text/read-aloud.ts';
import type { VoiceModule } from './module.ts';
import { SpeechError } from './speech/engine.ts';

/** Previews per account and second, because calls wait for the same engine. */
const PREVIEWS_A_SECOND = 2;

const body = z.object({
  text: field(storable(MAX_MESSAGE), 'Text of the message.', 'Your code is 4829'),
  ...speechFields,
});

interface SpeechDeps {
  readonly voice: Pick<VoiceModule, 'preview' | 'speechProblem'>;
  readonly gate: Pick<Gate, 'check'>;
}

const route = resource<SpeechDeps>('sending');

/** Speech. */
export const speechRoutes = [
  route('POST /v1/speech/preview', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'previewSpeech',
    title: 'Preview speech',
    description:
      'Returns a text as spoken in a call, as WAV of 8 kHz, the quality of a telephone line. Calls nobody and is free of charge. At most two requests a second.',
    refusals: ['bad-message', 'not-now'],
    body,
    maxPerSecond: PREVIEWS_A_SECOND,
    answer: { binary: 'audio/wav' },
    handler: async ({ accountId, body: { text, voice: name, rate }, reply }, { voice, gate }) => {
      await gate.check(accountId);
      if (readAloud(text).text === '') {
        throw new Refusal('bad-message', 'nothing of it can be read aloud', 'text');
      }
      const problem = await voice.speechProblem();
      if (problem !== undefined) throw new Refusal('not-allowed', `nothing can be spoken here: ${problem}`);
      const wav = await voice.preview(accountId, { text, voice: name, rate }).catch((error: unknown) => {
        throw error instanceof SpeechError ? new Refusal('try-again', error.message) : error;
      });
      return reply.type('audio/wav').header('cache-control', 'no-store').send(wav);
    },
  }),
];
