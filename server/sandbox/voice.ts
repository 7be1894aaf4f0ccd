import { EventEmitter } from 'node:events';
import type { OutgoingMessage } from '../engine/carriers/carrier.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/observability/log.ts';
import { Exchange } from './exchange/exchange.ts';
import { Inbox } from './inbox.ts';

/** Number from which the sandbox calls, and its usual spelling: landlines call it for verification. */
export const SANDBOX_CALL_NUMBER = '97237000000';
export const SHOWN_CALL_NUMBER = '03-700-0000';

/** A call in the display of a sandbox phone. */
export interface ShownCall {
  readonly id: string;
  readonly from: string;
  /** The spoken text. */
  readonly text: string;
  readonly seconds: number;
  /** The side that hung up. */
  readonly ended: 'caller' | 'callee';
  /** Address of the WAV with the audio heard. */
  readonly audio: string;
  readonly at: string;
}

/** The simulated telephone exchange, and the calls that its phones heard. */
export interface SandboxVoice {
  readonly exchange: Exchange;
  readonly uri: string;
  readonly number: string;
  /** Called with the text that a call is about to speak. */
  readonly spoken: (message: Pick<OutgoingMessage, 'destination'>, text: string) => Promise<void>;
  /** Returns the calls answered at a number (international digits), oldest first. */
  list(number: string): ShownCall[];
  /** Emits `arrived` with the number and the call when an answered call has ended. */
  readonly calls: EventEmitter<{ arrived: [number: string, call: ShownCall] }>;
  /** Returns the audio heard in a call as a WAV; undefined when the call is unknown. */
  wav(number: string, id: string): Buffer | undefined;
}

/** Starts the simulated telephone exchange. */
export async function startSandboxVoice(deps: {
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds that phones ring before they answer. */
  readonly ringMs: number;
  readonly endingOf?: (number: string) => string;
  /** Port of the exchange; any free one by default. */
  readonly port?: number | undefined;
}): Promise<SandboxVoice> {
  const calls: SandboxVoice['calls'] = new EventEmitter();
  const { port = 0, ...options } = deps;
  const exchange = new Exchange({
    ...options,
    port,
    onHeard(number) {
      calls.emit('arrived', number, list(number).at(-1)!);
    },
  });
  const { uri } = await exchange.start();
  // The exchange has audio only, so the text of a call is the last one spoken to its number.
  const said = new Inbox<{ at: number; text: string }>();
  const list = (number: string): ShownCall[] =>
    exchange.calls(number).map(({ id, from, at, seconds, ended }) => ({
      id,
      from,
      text: said.list(number).findLast((one) => one.at <= at)?.text ?? '',
      seconds,
      ended,
      audio: `/v1/sandbox/phones/${number}/calls/${encodeURIComponent(id)}.wav`,
      at: new Date(at).toISOString(),
    }));
  return {
    exchange,
    uri,
    number: SHOWN_CALL_NUMBER,
    async spoken({ destination }, text) {
      said.keep(destination, { at: deps.clock.now(), text });
    },
    calls,
    list,
    wav: (number, id) => exchange.calls(number).find((call) => call.id === id)?.wav,
  };
}
