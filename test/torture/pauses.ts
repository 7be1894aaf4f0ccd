import type { MachineOptions, MachineResult } from './machine.ts';
import { runPair } from './pair.ts';

/*
 * One of two processes is paused (SIGSTOP) for longer than its leases, again and again: the other takes over, and neither
 * repeats more messages than a window.
 */

/** Milliseconds of the longest lease, that of batches. */
const LEASE_MS = 30_000;

export const runPauses = (options: MachineOptions): Promise<MachineResult> =>
  runPair(options, {
    what: 'pauses',
    async round({ members, accept, last, chance }) {
      const { program } = members[chance() < 0.5 ? 0 : 1]!;
      process.kill(program.pid, 'SIGSTOP');
      try {
        await last(LEASE_MS + 2_000 + chance() * 8_000);
        await accept(100);
      } finally {
        process.kill(program.pid, 'SIGCONT');
      }
      await accept(100);
      return 1;
    },
  });
