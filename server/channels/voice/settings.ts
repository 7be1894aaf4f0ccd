import { z } from 'zod';
import { hours, price, setting, text, whole } from '../../setting.ts';

/** The settings of calls. */
export const voiceSettings = {
  DEFAULT_CALL_PRICE: setting(
    price,
    '1',
    'Credits for one call to a destination that no row of the price list names for the channel `voice`.',
  ),
  VOICE_ENGINE: setting(
    z.enum(['auto', 'espeak-ng', 'server', 'off'], {
      error: 'must be auto, espeak-ng, server or off',
    }),
    'auto',
    'What speaks: the program espeak-ng, the server of VOICE_SPEECH_URL, or nothing. auto: the server when VOICE_SPEECH_URL is set, else espeak-ng. See docs/voice.md.',
  ),
  VOICE_ESPEAK: setting(
    text.min(1).optional(),
    undefined,
    'Name or path of the program espeak-ng. Default: `espeak-ng` where it is installed, else the one that npm installed.',
  ),
  VOICE_SPEECH_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    undefined,
    'A server with an OpenAI-compatible `/v1/audio/speech`, like `http://localhost:8000`.',
  ),
  VOICE_SPEECH_KEY: setting(text.optional(), undefined, "That server's key, sent as a bearer token."),
  VOICE_SPEECH_MODEL: setting(text.min(1), 'tts-1', 'The model that it is asked for.'),
  VOICE_SPEECH_FORMAT: setting(
    z.enum(['wav', 'pcm'], { error: 'must be wav or pcm' }),
    'wav',
    'What it is asked to send: a WAV, or bare samples (24 kHz, 16-bit, mono).',
  ),
  VOICE_SPEECH_MALE: setting(text.min(1), 'onyx', 'Its voice for `ymMale`.'),
  VOICE_SPEECH_FEMALE: setting(text.min(1), 'nova', 'Its voice for `ymFemale`.'),
  VOICE_CACHE_MB: setting(
    whole(1, 1_000_000),
    '256',
    'Rendered speech that is kept in DATA_DIR, in MB, at most. What was not used for a week is removed.',
  ),
  VOICE_PAUSE_MS: setting(
    whole(0, 10_000),
    '1000',
    'Silence before a message is said again in a call, in milliseconds.',
  ),
  VOICE_HOURS: setting(
    hours,
    '08:00-21:00',
    'When calls that were busy or not answered may be tried again, in the time zone of the account; 00:00-24:00 is always.',
  ),
  VOICE_ATTEMPTS: setting(whole(1, 20), '3', 'How often a call is tried that is busy or not answered.'),
} as const;
