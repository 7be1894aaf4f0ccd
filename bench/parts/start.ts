import { BULK_SIZE } from '../support/compared.ts';
import { type Field, flow } from '../support/field.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

/** Messages in the database if no other part has stored any. */
const FILL = 100_000;

export interface StartOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** A service with data from another part, if any. */
  readonly carillon: Carillon | undefined;
  readonly progress: (line: string) => void;
}

/** From the start of the process to 200 from /readyz?for=dispatch. */
export interface ColdStart {
  readonly ms: number;
  /** Seconds of CPU of the server process, without PostgreSQL. */
  readonly cpu: number;
}

/** Repeatedly stops a service with data and starts it again. */
export async function coldStarts(options: StartOptions): Promise<ColdStart[]> {
  const { field, folder, progress } = options;
  const surroundings = { smscPort: field.smscPort, callbackPort: field.callbackPort, folder };
  let carillon = options.carillon;
  if (!carillon) {
    carillon = await startCarillon(surroundings);
    await flow(field, carillon, { connections: 4, requests: FILL / BULK_SIZE, size: BULK_SIZE, first: 0 });
  }
  const target = carillon.target as LoadTarget & { kind: 'carillon' };
  const starts: ColdStart[] = [];
  for (let round = 0; round < options.rounds; round++) {
    await carillon.end();
    carillon = await startCarillon({ ...surroundings, target });
    starts.push({ ms: carillon.startMs, cpu: carillon.startCpu });
  }
  const each = starts.map(({ ms, cpu }) => `${Math.round(ms)} ms (CPU ${cpu.toFixed(2)} s)`);
  progress(`started in ${each.join(', ')}`);
  await carillon.stop();
  return starts;
}
