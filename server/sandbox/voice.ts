import { EventEmitter } from 'node:events';
import type { OutgoingMessage } from '../carriers/carrier.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../observability/log.ts';
import { Exchange } from './exchange/exchange.ts';
import { Inbox } from './inbox.ts';

/** The number that the sandbox's calls come from, and, as people write it, that landlines call to be verified. */
export const SANDBOX_CALL_NUMBER = '97237000000';
export const SHOWN_CALL_NUMBER = '03-700-0000';

/** A call as a phone of the sandbox shows it. */
export interface ShownCall {
  readonly id: string;
  readonly from: string;
  /** What was said, as it was written. */
  readonly text: string;
  readonly seconds: number;
  /** Who hung up. */
  readonly ended: 'caller' | 'callee';
  /** Where what was heard is, as a WAV. */
  readonly audio: string;
  readonly at: string;
}

/** The simulated telephone exchange, and what its phones heard. */
export interface SandboxVoice {
  readonly exchange: Exchange;
  readonly uri: string;
  readonly number: string;
  /** Told what a call is about to say. */
  readonly spoken: (message: Pick<OutgoingMessage, 'destination'>, text: string) => Promise<void>;
  /** Calls that were answered at a number (international digits), oldest first. */
  list(number: string): ShownCall[];
  /** Emits `arrived` with the number and the call when one is over that was answered. */
  readonly calls: EventEmitter<{ arrived: [number: string, call: ShownCall] }>;
  /** What was heard in a call, as a WAV; undefined when there is none. */
  wav(number: string, id: string): Buffer | undefined;
}

/** Starts the simulated telephone exchange. */
export async function startSandboxVoice(deps: {
  readonly clock: Clock;
  readonly log: Logger;
  /** How long phones ring before they are answered, in milliseconds. */
  readonly ringMs: number;
  readonly endingOf?: (number: string) => string;
  /** Of the exchange; any free one without. */
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
  // The phone hears, and does not read: what it heard is told by what was said to it last.
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
