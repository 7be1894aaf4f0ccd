import { writeFileSync } from 'node:fs';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { runPair } from './pair.ts';

/* The clock of one of two processes is ten minutes ahead or behind, from its start or from one moment to the next. Nothing waits for it. */

const OFF_MS = 600_000;

export const runClocks = (options: MachineOptions): Promise<MachineResult> =>
  runPair(options, {
    what: 'clock changes',
    async round({ members, network, senders, accept, chance }) {
      const member = members[chance() < 0.5 ? 0 : 1]!;
      writeFileSync(member.clockFile, String(Math.floor(chance() * 3 - 1) * OFF_MS));
      const isKilled = chance() < 0.5;
      if (isKilled) await member.restart();
      await accept(100);
      const accepted = senders.accepted;
      // With a clock that is behind, they would be sent ten minutes later.
      await waitFor('the messages are sent', () => network.taken.size >= accepted, OFF_MS / 3);
      return isKilled ? 1 : 0;
    },
  });
