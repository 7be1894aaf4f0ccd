import type { MachineOptions, MachineResult } from './machine.ts';
import { runPair } from './pair.ts';

/* One of two processes loses the database for longer than its leases, by silence or by resets, while the other has it. */

/** Milliseconds of the longest lease, that of batches. */
const LEASE_MS = 30_000;

export const runCutOff = (options: MachineOptions): Promise<MachineResult> =>
  runPair(options, {
    what: 'cuts',
    async round({ members, accept, last, chance }) {
      const { proxy } = members[chance() < 0.5 ? 0 : 1]!;
      proxy.holdNew();
      if (chance() < 0.5) proxy.silence();
      else proxy.cut();
      await last(LEASE_MS + 2_000 + chance() * 8_000);
      await accept(100);
      proxy.resume();
      await accept(100);
      return 1;
    },
  });
