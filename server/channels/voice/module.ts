import { join } from 'node:path';
import type { NewCarrier, OutgoingMessage } from '../../engine/carriers/carrier.ts';
import type { Routing } from '../../engine/carriers/routing.ts';
import type { Recalls } from '../../engine/dispatch/retry.ts';
import type { CallService } from '../../engine/messages/call-request.ts';
import { settingsOf } from '../../kit/config.ts';
import type { Context } from '../../kit/context.ts';
import { firstWithin } from '../../kit/day-hours.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { decode } from '../../protocols/sip/g711.ts';
import type { SpokenMessage } from '../../protocols/sip/prompt.ts';
import type { SipTrunkSettings } from '../../protocols/sip/settings.ts';
import { SipTrunk } from '../../protocols/sip/trunk.ts';
import type { TextStorage } from '../../secrets/text-storage.ts';
import { voiceSettings } from './settings.ts';
import { AudioStore } from './speech/audio-store.ts';
import { chooseEngine } from './speech/choose.ts';
import { SAMPLE_RATE } from './speech/engine.ts';
import { type Keeping, type PromptInput, Prompts } from './speech/prompts.ts';
import { writeWav } from './speech/wav.ts';
import type { SpokenInput } from './spoken.ts';
import { CallVerification } from './verification.ts';

const MEGABYTE = 1024 * 1024;
const CLEAN_MS = 3_600_000;

interface VoiceModuleDeps extends Pick<Context, 'config' | 'clock' | 'log'> {
  readonly numbers: NumberReader;
  readonly accounts: Pick<Accounts, 'cached'>;
  readonly textStorage: Pick<TextStorage, 'modeOf'>;
  /** Calls a landline back for its verification. */
  readonly callBack: (phone: string) => Promise<string>;
  /** Enabled SIP trunks, and enabled trunks of every protocol. */
  readonly trunks: () => readonly SipTrunkSettings[];
  readonly callTrunks: () => readonly { readonly name: string }[];
  readonly routing: Pick<Routing, 'callRouteOf'>;
  /** Whether this process makes the calls. */
  readonly dispatches: boolean;
  /** The number that landlines call for their verification. */
  readonly callNumber: string | undefined;
  /** Called with the text of a call before it is spoken. */
  readonly onSpoken: ((message: OutgoingMessage, text: string) => Promise<void>) | undefined;
}

/** Messages that are read aloud in phone calls. */
export interface VoiceModule extends CallService {
  /** Creates a connector for the calls of a trunk. */
  createTrunk(settings: SipTrunkSettings): NewCarrier;
  readonly recalls: Recalls;
  /** Returns a WAV with a text spoken once, in the quality of a phone call. Throws SpeechError. */
  preview(accountId: number, input: PromptInput): Promise<Buffer>;
  stop(): Promise<void>;
}

/**
 * Creates the module. The service also starts without speech or trunks: then `problem` reports it, and sends with `tts`
 * are refused.
 */
export async function createVoiceModule(deps: VoiceModuleDeps): Promise<VoiceModule> {
  const { config, clock, log, numbers, accounts, callBack, callNumber, dispatches } = deps;
  const settings = settingsOf(config, voiceSettings);
  const chosen = chooseEngine(settings, log);
  const folder = join(config.DATA_DIR, 'speech');
  const verification = new CallVerification({ callBack, numbers, log, callNumber });
  const isSpeaking = dispatches && deps.trunks().length > 0;
  // Logs the problem at the start, and not only at the first call.
  if (isSpeaking) await chosen.problem();
  let opening: Promise<Prompts> | undefined;
  let cleaning: NodeJS.Timeout | undefined;

  /** Opened at the first call, so that a service without calls stores nothing. */
  async function openPrompts(): Promise<Prompts> {
    const store = await AudioStore.open(folder, settings.VOICE_CACHE_MB * MEGABYTE).catch(
      (error: unknown) => {
        log.warn({ err: error, folder }, 'rendered speech cannot be kept on disk');
        return undefined;
      },
    );
    cleaning = setInterval(() => {
      store
        ?.clean()
        .catch((error: unknown) => log.warn({ err: error }, 'rendered speech was not cleaned up'));
    }, CLEAN_MS).unref();
    return new Prompts({ engine: chosen.engine, engineName: chosen.name, store, log });
  }

  async function promptFor(input: PromptInput, keeping: Keeping) {
    opening ??= openPrompts();
    return (await opening).promptFor(input, keeping);
  }

  /** Files in the folder are readable, so texts of accounts with stricter storage stay in memory. */
  const keepingOf = (accountId: number): Keeping =>
    deps.textStorage.modeOf(accountId) === 'plain' ? 'disk' : 'memory';

  async function speak(message: OutgoingMessage): Promise<SpokenMessage> {
    const input = message.payload as SpokenInput;
    await deps.onSpoken?.(message, input.text);
    const prompt = await promptFor(input, message.isSecret ? 'nowhere' : keepingOf(message.accountId));
    return { prompt, repeat: input.repeat, pauseMs: settings.VOICE_PAUSE_MS };
  }

  /** Whether the service itself speaks in calls to phones: their route has a SIP trunk. */
  function needsSpeech(phones: readonly string[] | undefined): boolean {
    const sip = new Set(deps.trunks().map(({ name }) => name));
    if (phones === undefined || sip.size === deps.callTrunks().length) return sip.size > 0;
    return phones.some((phone) => deps.routing.callRouteOf(phone)?.connectors.some((name) => sip.has(name)));
  }

  const options = { log, clock, prompt: speak, onIncomingCall: verification.take.bind(verification) };
  return {
    createTrunk: (trunk) => new SipTrunk(trunk, options),
    recalls: {
      attempts: settings.VOICE_ATTEMPTS,
      allowedFrom: (accountId, at) =>
        firstWithin(settings.VOICE_HOURS, at, accounts.cached(accountId)?.timeZone ?? config.TIME_ZONE),
    },
    takesCalls: () => deps.trunks().length > 0,
    async problem(phones) {
      if (deps.callTrunks().length === 0) return 'no trunk is configured';
      if (!needsSpeech(phones)) return undefined;
      // Another process speaks, so the engine of this machine does not matter.
      if (!dispatches && settings.VOICE_ENGINE === 'espeak-ng') return undefined;
      const problem = await chosen.problem();
      const isForSome = phones === undefined && deps.trunks().length < deps.callTrunks().length;
      return problem !== undefined && isForSome ? `over SIP trunks, ${problem}` : problem;
    },
    speechProblem: () => chosen.problem(),
    async preview(accountId, input) {
      const { pcma } = await promptFor(input, keepingOf(accountId));
      return writeWav({ sampleRate: SAMPLE_RATE, samples: decode('PCMA', pcma) });
    },
    async stop() {
      clearInterval(cleaning);
      await verification.idle();
      await chosen.close();
    },
  };
}
