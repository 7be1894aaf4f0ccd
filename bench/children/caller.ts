/* A trunk without a service: calls one number after the other, several at a time. */

import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { promptOf } from '../../server/protocols/sip/prompt.ts';
import { sipTrunkSettings } from '../../server/protocols/sip/settings.ts';
import { SipTrunk } from '../../server/protocols/sip/trunk.ts';
import { answer } from '../support/child.ts';

/** A voice has a pitch; its words make no difference to sending it. */
const HERTZ = 150;

let trunk: SipTrunk | undefined;
let prompt = promptOf(new Int16Array(0));
let lastId = 0;
let busy: NodeJS.Timeout | undefined;

answer({
  /** Opens the trunk. Resolves when it is up. */
  async open({ uri, atOnce }: { uri: string; atOnce: number }): Promise<void> {
    const settings = { name: 'bench', uri, callerId: '97237000000', callsAtOnce: atOnce, callsPerSecond: 0 };
    const made = new SipTrunk(sipTrunkSettings.parse({ ...settings, startDelayMs: 0 }), {
      log: createLogger('warn'),
      clock: systemClock,
      prompt: () => Promise.resolve({ prompt, repeat: 1, pauseMs: 0 }),
    });
    const nothing = () => Promise.reject(new Error('no call brings a message'));
    await new Promise<void>((resolve) => {
      const ready = () => {
        if (made.up) resolve();
      };
      made.start({
        receipt: () => Promise.resolve(),
        incoming: nothing,
        incomingPart: nothing,
        late() {},
        ready,
      });
    });
    trunk = made;
  },
  /**
   * Keeps the main thread busy: it works for `milliseconds` at a time, and rests for `restMs` in between. 0 ends it.
   */
  work({ milliseconds, restMs }: { milliseconds: number; restMs: number }) {
    clearTimeout(busy);
    if (milliseconds === 0) return;
    const round = () => {
      const until = performance.now() + milliseconds;
      while (performance.now() < until);
      busy = setTimeout(round, restMs);
    };
    busy = setTimeout(round, restMs);
  },
  /** Makes calls of a length, `atOnce` at a time, and waits for their end. Returns the number of answered calls. */
  async call({ calls, atOnce, milliseconds }: { calls: number; atOnce: number; milliseconds: number }) {
    prompt = promptOf(
      Int16Array.from(
        { length: milliseconds * 8 },
        (_, i) => 8_000 * Math.sin((2 * Math.PI * HERTZ * i) / 8_000),
      ),
    );
    let left = calls;
    let answered = 0;
    const line = async () => {
      while (left-- > 0) {
        const id = ++lastId;
        const outcome = await new Promise<string>((resolve) => {
          trunk!.submit(
            {
              accountId: 1,
              id,
              source: '97237000000',
              // Avoids endings with a simulated outcome in the sandbox.
              destination: String(972_500_000_017 + (id % 90_000) * 100),
              payload: '',
              validUntil: Date.now() + 3_600_000,
            },
            ({ kind }) => resolve(kind),
          );
        });
        if (outcome === 'accepted') answered++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, line));
    return answered;
  },
});
