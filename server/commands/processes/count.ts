import { availableParallelism } from 'node:os';
import { type Config, MAX_PROCESSES } from '../../kit/config.ts';

/**
 * Returns how many processes `carillon start` has. `auto` leaves a third of the processors to an embedded PostgreSQL, which needs
 * half as much as the processes (docs/performance.md).
 */
export function processCount(
  { PROCESSES, DATABASE_URL }: Pick<Config, 'PROCESSES' | 'DATABASE_URL'>,
  processors = availableParallelism(),
): number {
  if (PROCESSES !== 'auto') return PROCESSES;
  const share = DATABASE_URL === undefined ? 2 / 3 : 1;
  return Math.min(MAX_PROCESSES, Math.max(1, Math.floor(processors * share)));
}
