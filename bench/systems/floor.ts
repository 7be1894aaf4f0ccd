import { join } from 'node:path';
import { startEmbedded } from '../../server/database/embedded.ts';
import type { FloorSettings, Stored } from '../children/floor.ts';
import { startChild } from '../support/child.ts';
import { atTheEnd } from '../support/cleanup.ts';
import { childrenOf, cpuOf, cpuOfFamily } from '../support/proc.ts';
import { flags } from './carillon.ts';
import type { Surroundings, System } from './system.ts';

export interface Floor extends System {
  /** Returns the submit_sm of a message as hexadecimal digits; `phone` is E.164 digits. */
  submitOf(phone: string, text: string): Promise<string>;
  stored(): Promise<Stored>;
}

/** Starts the floor (children/floor.ts) with an embedded PostgreSQL that has the settings of Carillon's. */
export async function startFloor({ folder, smscPort, callbackPort }: Surroundings): Promise<Floor> {
  const known = new Set(childrenOf(process.pid, 'postgres'));
  const postgres = await startEmbedded(join(folder, 'floor'));
  const stop = atTheEnd(() => postgres.stop());
  const pid = childrenOf(process.pid, 'postgres').find((child) => !known.has(child))!;
  const child = await startChild('floor.ts', flags);
  const port = await child.ask<number>('start', {
    database: postgres.target as FloorSettings['database'],
    smscPort,
    callbackPort,
    systemId: 'second',
    password: 'bench',
  } satisfies FloorSettings);
  return {
    name: 'the floor',
    target: { kind: 'carillon', port, username: 'bench', token: `carillon_${'x'.repeat(43)}` },
    cpu: () => ({ server: cpuOf(child.pid), postgres: cpuOfFamily(pid) }),
    submitOf: (phone, text) => child.ask('submitOf', { phone, text }),
    stored: () => child.ask('stored'),
    async stop() {
      await child.ask('stop');
      await stop();
    },
  };
}
