import type { MachineOptions, MachineResult } from './machine.ts';

export interface Machine {
  readonly name: string;
  /** Share of the total time. */
  readonly share: number;
  readonly run: (options: MachineOptions) => Promise<MachineResult>;
}

/** The machines of `npm run torture`, in the order in which they run. Each is loaded when it is its turn. */
export const machines: readonly Machine[] = [
  {
    name: 'statements',
    share: 2,
    run: async (options) => (await import('./statements.ts')).runStatements(options),
  },
  {
    name: 'model',
    share: 2,
    run: async (options) => (await import('./model.ts')).runModel(options),
  },
  {
    name: 'smpp-clients',
    share: 1,
    run: async (options) => (await import('./smpp-clients.ts')).runSmppClients(options),
  },
  {
    name: 'kills',
    share: 4,
    run: async (options) => (await import('./kills.ts')).runKills(options),
  },
  {
    name: 'incoming',
    share: 2,
    run: async (options) => (await import('./incoming.ts')).runIncoming(options),
  },
  {
    name: 'disk-full',
    share: 1,
    run: async (options) => (await import('./disk-full.ts')).runDiskFull(options),
  },
  {
    name: 'carrier-outage',
    share: 1,
    run: async (options) => (await import('./carrier-outage.ts')).runCarrierOutage(options),
  },
  {
    name: 'pauses',
    share: 1,
    run: async (options) => (await import('./pauses.ts')).runPauses(options),
  },
  {
    name: 'cut-off',
    share: 1,
    run: async (options) => (await import('./cut-off.ts')).runCutOff(options),
  },
  {
    name: 'clocks',
    share: 1,
    run: async (options) => (await import('./clocks.ts')).runClocks(options),
  },
  {
    name: 'flapping',
    share: 1,
    run: async (options) => (await import('./flapping.ts')).runFlapping(options),
  },
  {
    name: 'routes',
    share: 2,
    run: async (options) => (await import('./route-changes.ts')).runRouteChanges(options),
  },
  {
    name: 'suspension',
    share: 1,
    run: async (options) => (await import('./suspension.ts')).runSuspension(options),
  },
  {
    name: 'fuzz',
    share: 4,
    run: async (options) => (await import('./fuzz/fuzz.ts')).runFuzz(options),
  },
  {
    name: 'event-loop',
    share: 4,
    run: async (options) => (await import('./event-loop.ts')).runEventLoop(options),
  },
];
