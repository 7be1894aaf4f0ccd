import type { MachineOptions, MachineResult } from './machine.ts';
import { runPair } from './pair.ts';

/* A carrier that drops its sessions every 4 to 5 s, with submits on the way. */

export const runFlapping = (options: MachineOptions): Promise<MachineResult> =>
  runPair(options, {
    what: 'flaps',
    async round({ network, last, chance }) {
      network.smsc.change({ answerDelayMs: 30 });
      await last(4_000 + chance() * 1_000);
      network.smsc.disconnect();
      return 1;
    },
  });
