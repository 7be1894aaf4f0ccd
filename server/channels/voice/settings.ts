import { z } from 'zod';
import { hours, price, setting, text, whole } from '../../kit/setting.ts';

/** The settings of calls. */
export const voiceSettings = {
  DEFAULT_CALL_PRICE: setting(
    price,
    '1',
    'Price of one call in credits, for destinations without a price of the channel `voice` in the price list.',
  ),
  VOICE_ENGINE: setting(
    z.enum(['auto', 'espeak-ng', 'server', 'off'], {
      error: 'must be auto, espeak-ng, server or off',
    }),
    'auto',
    'Speech engine: the program espeak-ng, the server of VOICE_SPEECH_URL, or off. auto: the server when VOICE_SPEECH_URL is set, else espeak-ng. See docs/voice.md.',
  ),
  VOICE_ESPEAK: setting(
    text.min(1).optional(),
    undefined,
    'Name or path of the program espeak-ng. Default: `espeak-ng` if it is installed, else the package from npm.',
  ),
  VOICE_SPEECH_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    undefined,
    'A server with an OpenAI-compatible `/v1/audio/speech`, like `http://localhost:8000`.',
  ),
  VOICE_SPEECH_KEY: setting(text.optional(), undefined, 'API key of that server, sent as a bearer token.'),
  VOICE_SPEECH_MODEL: setting(text.min(1), 'tts-1', 'Model requested from that server.'),
  VOICE_SPEECH_FORMAT: setting(
    z.enum(['wav', 'pcm'], { error: 'must be wav or pcm' }),
    'wav',
    'Format requested from that server: WAV, or raw samples (24 kHz, 16-bit, mono).',
  ),
  VOICE_SPEECH_MALE: setting(text.min(1), 'onyx', 'Voice of that server for `ymMale`.'),
  VOICE_SPEECH_FEMALE: setting(text.min(1), 'nova', 'Voice of that server for `ymFemale`.'),
  VOICE_CACHE_MB: setting(
    whole(1, 1_000_000),
    '256',
    'Maximum size of rendered speech in DATA_DIR, in MB. Files unused for a week are removed.',
  ),
  VOICE_PAUSE_MS: setting(
    whole(0, 10_000),
    '1000',
    'Silence before a message is repeated in a call, in milliseconds.',
  ),
  VOICE_HOURS: setting(
    hours,
    '08:00-21:00',
    'Hours in which calls that were busy or not answered are retried, in the time zone of the account; 00:00-24:00 is always.',
  ),
  VOICE_ATTEMPTS: setting(whole(1, 20), '3', 'Maximum attempts for a call that is busy or not answered.'),
} as const;
