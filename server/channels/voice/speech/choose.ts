import type { Logger } from '../../../kit/observability/log.ts';
import type { ValuesOf } from '../../../kit/setting.ts';
import { currentTlsFault, TlsPeer } from '../../../kit/tls-faults.ts';
import type { voiceSettings } from '../settings.ts';
import { type SpeechEngine, SpeechError } from './engine.ts';
import { bundledEspeak, createEspeak, type EspeakProgram, hasEspeak, installedEspeak } from './espeak.ts';
import { createSpeechServer } from './speech-server.ts';

/** Milliseconds between two searches for a missing program, which may be installed in the meantime. */
const LOOK_AGAIN_MS = 5_000;

/** The engine that the settings select. */
interface ChosenEngine {
  readonly engine: SpeechEngine;
  /** Distinguishes its audio from that of other engines and settings. */
  readonly name: string;
  /** Returns why speech is not possible now, in words for the operator and for callers; undefined if it is. */
  problem(): Promise<string | undefined>;
  close(): Promise<void>;
}

type SpeechConfig = Pick<
  ValuesOf<typeof voiceSettings>,
  | 'VOICE_ENGINE'
  | 'VOICE_ESPEAK'
  | 'VOICE_SPEECH_URL'
  | 'VOICE_SPEECH_KEY'
  | 'VOICE_SPEECH_MODEL'
  | 'VOICE_SPEECH_FORMAT'
  | 'VOICE_SPEECH_MALE'
  | 'VOICE_SPEECH_FEMALE'
>;

/** Selects the speech engine. A missing program does not prevent the start: it is logged, and `problem` reports it. */
export function chooseEngine(config: SpeechConfig, log: Logger): ChosenEngine {
  const { VOICE_ENGINE: wanted, VOICE_SPEECH_URL: url } = config;
  if (wanted === 'off') return silent('VOICE_ENGINE is off');
  if (wanted === 'server' || (wanted === 'auto' && url !== undefined)) {
    return url === undefined ? silent('VOICE_SPEECH_URL is not set') : speechServer(config, url, log);
  }
  const named = config.VOICE_ESPEAK;
  return espeak(named ? [installedEspeak(named)] : [installedEspeak('espeak-ng'), bundledEspeak], log);
}

function silent(why: string): ChosenEngine {
  return {
    name: 'none',
    engine: {
      speak() {
        return Promise.reject(new SpeechError(why));
      },
    },
    problem: async () => why,
    close: async () => {},
  };
}

function speechServer(config: SpeechConfig, url: string, log: Logger): ChosenEngine {
  const voices = { ymMale: config.VOICE_SPEECH_MALE, ymFemale: config.VOICE_SPEECH_FEMALE };
  const model = config.VOICE_SPEECH_MODEL;
  const server = createSpeechServer({
    url,
    key: config.VOICE_SPEECH_KEY,
    model,
    voices,
    format: config.VOICE_SPEECH_FORMAT,
    tlsPeer: new TlsPeer('speech', log),
  });
  return {
    engine: server,
    name: JSON.stringify(['server', url, model, voices.ymMale, voices.ymFemale]),
    // Whether the server answers is unknown before the first request; calls wait for it.
    problem: async () => {
      const fault = currentTlsFault('speech');
      return fault && `the speech server's TLS is not accepted: ${fault.detail}`;
    },
    close: () => server.close(),
  };
}

/** Names of existing programs. Each one is run once per process to find out. */
const present = new Set<string>();

async function isPresent(program: EspeakProgram): Promise<boolean> {
  if (!present.has(program.name) && (await hasEspeak(program))) present.add(program.name);
  return present.has(program.name);
}

/** Uses the first existing program, which is determined at the first use. */
function espeak(programs: readonly EspeakProgram[], log: Logger): ChosenEngine {
  const names = programs.map(({ name }) => name);
  let found: EspeakProgram | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  const look = async () => {
    const isFirst = lookedAt === Number.NEGATIVE_INFINITY;
    for (const program of programs) {
      if (!(await isPresent(program))) continue;
      found = program;
      break;
    }
    lookedAt = performance.now();
    if (!found && isFirst) {
      log.warn(
        { programs: names },
        'there is no speech: espeak-ng is not installed, and no speech server is set',
      );
    } else if (found && !isFirst) log.info({ program: found.name }, 'speech engine available');
  };
  return {
    engine: { speak: (utterance) => createEspeak(found ?? programs[0]!).speak(utterance) },
    name: 'espeak-ng',
    async problem() {
      if (!found && performance.now() - lookedAt >= LOOK_AGAIN_MS) {
        looking ??= look().finally(() => {
          looking = undefined;
        });
        await looking;
      }
      return found ? undefined : `${names[0]} is not installed`;
    },
    close: async () => {},
  };
}
