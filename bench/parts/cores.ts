import type { Compared } from '../support/compared.ts';
import { type ComparedServicesOptions, compareServices } from '../support/compared-services.ts';

/** Sessions of the connector, which the processes divide. */
const BINDS = 4;
/** Requests per second of single messages: one rate for all, which one process has time for. */
const RATE = 1_500;

/** Measures `carillon start` with one, two and four processes (PROCESSES), at the same rate of single messages. */
export function cores(options: ComparedServicesOptions): Promise<Compared[]> {
  const withProcesses = (label: string, count: number) => ({
    label,
    settings: { PROCESSES: String(count) },
    smppOptions: `binds=${BINDS}`,
  });
  return compareServices({ rate: RATE, ...options }, 'cores', [
    withProcesses('one process', 1),
    withProcesses('two processes', 2),
    withProcesses('four processes', 4),
  ]);
}
