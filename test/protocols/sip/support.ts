import type { TestContext } from 'node:test';
import type {
  CarrierReceipt,
  OutgoingMessage,
  SubmitOutcome,
} from '../../../server/engine/carriers/carrier.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import type { IncomingCall } from '../../../server/protocols/sip/options.ts';
import { promptOf, type SpokenMessage } from '../../../server/protocols/sip/prompt.ts';
import { type SipTrunkInput, sipTrunkSettings } from '../../../server/protocols/sip/settings.ts';
import { SipTrunk } from '../../../server/protocols/sip/trunk.ts';
import { Exchange, type ExchangeOptions } from '../../../server/sandbox/exchange/exchange.ts';
import { waitFor } from '../../support/wait-for.ts';

export const log = createLogger('silent');

/** T1 of tests: nothing is lost on the loopback but what a test loses, and nobody wants to wait half a second for it. */
export const T1_MS = 20;

/** A tone of a length, loud enough to be told from silence. */
export function tone(milliseconds: number, hertz = 440): Int16Array {
  return Int16Array.from({ length: milliseconds * 8 }, (_, i) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hertz * i) / 8_000)),
  );
}

/** A tone as a message, once by default. */
export function spokenTone(milliseconds: number, repeat = 1, pauseMs = 0): SpokenMessage {
  return { prompt: promptOf(tone(milliseconds)), repeat, pauseMs };
}

let lastId = 0;

/** A message to a number. */
export function messageTo(destination: string): OutgoingMessage {
  return {
    accountId: 1,
    id: ++lastId,
    source: '97237000000',
    destination,
    payload: 'your code is 1234',
    validUntil: Date.now() + 3_600_000,
  };
}

/** A trunk with what it told. */
export interface TestTrunk {
  readonly trunk: SipTrunk;
  readonly receipts: CarrierReceipt[];
  readonly incoming: IncomingCall[];
  /** Hands a message over; its outcome. */
  call(destination: string): Promise<SubmitOutcome>;
}

export interface TestTrunkOptions {
  readonly spoken?: (message: OutgoingMessage) => Promise<SpokenMessage>;
  /** Whether its being up is waited for. */
  readonly waits?: boolean;
}

/** A trunk to a URI, stopped with the test. */
export async function startTrunk(
  t: TestContext,
  input: Partial<SipTrunkInput> & { uri: string },
  { spoken = () => Promise.resolve(spokenTone(100)), waits = true }: TestTrunkOptions = {},
): Promise<TestTrunk> {
  const receipts: CarrierReceipt[] = [];
  const incoming: IncomingCall[] = [];
  const settings = sipTrunkSettings.parse({
    name: 'test',
    callerId: '97237000000',
    callsAtOnce: 50,
    callsPerSecond: 0,
    startDelayMs: 0,
    t1Ms: T1_MS,
    ...input,
  });
  const trunk = new SipTrunk(settings, {
    log,
    clock: systemClock,
    prompt: spoken,
    onIncomingCall: (call) => incoming.push(call),
  });
  trunk.start({
    receipt: async (receipt) => {
      receipts.push(receipt);
    },
    incoming: () => Promise.reject(new Error('no call brings a message')),
    incomingPart: () => Promise.reject(new Error('no call brings a message')),
    late() {},
    ready() {},
  });
  t.after(() => trunk.stop(0));
  if (waits) await waitFor('the trunk to be up', () => trunk.up);
  const call = (destination: string) =>
    new Promise<SubmitOutcome>((resolve) => trunk.submit(messageTo(destination), resolve));
  return { trunk, receipts, incoming, call };
}

/** An exchange on a free port, stopped with the test. */
export async function startExchange(
  t: TestContext,
  options: Partial<ExchangeOptions> = {},
): Promise<{ exchange: Exchange; uri: string }> {
  const exchange = new Exchange({ clock: systemClock, log, ringMs: 20, t1Ms: T1_MS, ...options });
  const { uri } = await exchange.start();
  t.after(() => exchange.stop());
  return { exchange, uri };
}
