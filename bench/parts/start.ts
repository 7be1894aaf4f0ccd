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

/**
 * Repeatedly stops a service with data and starts it again. Returns the milliseconds from each start to 200 from
 * /readyz?for=dispatch.
 */
export async function coldStarts(options: StartOptions): Promise<number[]> {
  const { field, folder, progress } = options;
  const surroundings = { smscPort: field.smscPort, callbackPort: field.callbackPort, folder };
  let carillon = options.carillon;
  if (!carillon) {
    carillon = await startCarillon(surroundings);
    await flow(field, carillon, { connections: 4, requests: FILL / BULK_SIZE, size: BULK_SIZE, first: 0 });
  }
  const target = carillon.target as LoadTarget & { kind: 'carillon' };
  const took: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    await carillon.end();
    carillon = await startCarillon({ ...surroundings, target });
    took.push(carillon.startMs);
  }
  progress(`started in ${took.map(Math.round).join(', ')} ms`);
  await carillon.stop();
  return took;
}
