import { existsSync, readFileSync } from 'node:fs';
import type { FileTimes } from './support/file-times.ts';

/** How many files are shown; TEST_SLOWEST says another number. */
const SHOWN = Number(process.env.TEST_SLOWEST ?? 10);

/**
 * The files that took longest, in seconds, with the processor time of all processes that they started, and the sum of all
 * files, as lines of text. Without PostgreSQL, which they share.
 *
 * @param path where test/support/file-times.ts has kept the times
 */
export function slowestFiles(path: string): string {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  const files = lines.map((line) => JSON.parse(line) as FileTimes).sort((a, b) => b.ms - a.ms);
  const cpuMs = files.reduce((sum, file) => sum + file.cpuMs, 0);
  return [
    'The slowest files:',
    ...files
      .slice(0, SHOWN)
      .map((one) => `${seconds(one.ms)}, CPU ${seconds(one.cpuMs)}  ${one.file.replace(/^test\//, '')}`),
    `All files: CPU ${seconds(cpuMs)}`,
  ].join('\n');
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).padStart(6)} s`;
