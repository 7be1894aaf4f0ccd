import { createGuardedAgent, guardedRequest, SsrfError } from '../../../kit/http/ssrf-guard.ts';
import type { Voice } from '../../../kit/text/voices.ts';
import type { TlsPeer } from '../../../kit/tls-faults.ts';
import { SAMPLE_RATE, type SpeechEngine, SpeechError, speedOf, type Utterance } from './engine.ts';
import { readSamples, readWav, samplesAt } from './wav.ts';

/** Several minutes at 48 kHz. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** `pcm` of this interface is 24 kHz, 16-bit, mono, little-endian. */
const PCM_RATE = 24_000;
const SPEED_LEAST = 0.25;
const MAX_SPEED = 4;

export interface SpeechServerSettings {
  /** Base URL to which `/v1/audio/speech` is appended, or the whole URL. */
  readonly url: string;
  readonly key: string | undefined;
  readonly model: string;
  /** The server's names of the two voices. */
  readonly voices: Readonly<Record<Voice, string>>;
  readonly format: 'wav' | 'pcm';
  /** Gets the results of TLS connections to the server. */
  readonly tlsPeer?: TlsPeer;
}

/**
 * Creates an engine for any server with an OpenAI-compatible `/v1/audio/speech`. The operator sets its address, so it
 * may be private. Redirects are not followed, because the request contains the key. `close` ends its connections.
 */
export function createSpeechServer(
  settings: SpeechServerSettings,
): SpeechEngine & { close(): Promise<void> } {
  const agent = createGuardedAgent({ allowPrivate: true });
  const url = speechUrl(settings.url);
  return {
    close: () => agent.close(),
    async speak({ text, voice, rate }: Utterance) {
      const speed = Math.min(MAX_SPEED, Math.max(SPEED_LEAST, speedOf(rate)));
      const { model, voices, format, key } = settings;
      let answer: Awaited<ReturnType<typeof guardedRequest>>;
      try {
        answer = await guardedRequest(agent, url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({ model, input: text, voice: voices[voice], response_format: format, speed }),
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_BYTES,
        });
      } catch (error) {
        const fault = settings.tlsPeer?.failed(error);
        const why = error instanceof SsrfError ? error.message : (error as NodeJS.ErrnoException).code;
        throw new SpeechError(
          `the speech server cannot be reached: ${fault?.detail ?? why ?? (error as Error).name}`,
        );
      }
      settings.tlsPeer?.worked();
      if (answer.status !== 200) throw new SpeechError(`the speech server answered ${answer.status}`);
      return read(answer.body);
    },
  };
}

/** A server may send a WAV although pcm was requested: the first octets show it. */
function read(body: Buffer): Int16Array {
  try {
    const isWav = body.toString('latin1', 0, 4) === 'RIFF';
    const audio = isWav ? readWav(body) : { sampleRate: PCM_RATE, samples: readSamples(body) };
    if (audio.samples.length === 0) throw new RangeError('nothing to hear');
    return samplesAt(audio, SAMPLE_RATE);
  } catch (error) {
    throw new SpeechError(`the speech server sent no audio: ${(error as Error).message}`);
  }
}

function speechUrl(given: string): string {
  const url = new URL(given);
  if (url.pathname.endsWith('/audio/speech')) return url.href;
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1') ? `${path}/audio/speech` : `${path}/v1/audio/speech`;
  return url.href;
}
