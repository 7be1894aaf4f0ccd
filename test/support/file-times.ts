import { appendFileSync, readFileSync } from 'node:fs';

/** What a test file has taken. */
export interface FileTimes {
  readonly file: string;
  readonly ms: number;
  /** Milliseconds of processor time, of the file's process and of all that it has started and waited for. */
  readonly cpuMs: number;
}

/** How long a clock tick of /proc is, in milliseconds: the same on every Linux (USER_HZ). */
const TICK_MS = 10;
/** Where a run keeps the times of its files, a line of JSON each. */
const times = process.env.CARILLON_TEST_TIMES;
let others = 0;

/** Counts a process with its children that no process of the file has waited for. */
export function addCpuTimeOf(pid: number): void {
  others += cpuTimeOf(pid);
}

/** Milliseconds of processor time of a process and of its children that have ended; 0 where there is no /proc. */
export function cpuTimeOf(pid: number): number {
  try {
    // Behind the name, which may have spaces: the 12th to the 15th are the user and system times, own and of children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(11, 15);
    return fields.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  } catch {
    return 0;
  }
}

/** To be called before a file begins; what it returns is to be called after it, and keeps its times for the run. */
export function startOfFile(file: string): () => void {
  const began = performance.now();
  // The first one of a process has its start, too.
  const cpuBefore = fileCount++ === 0 ? 0 : cpuTimeOf(process.pid) + others;
  return () => {
    if (times === undefined) return;
    const cpuMs = cpuTimeOf(process.pid) + others - cpuBefore;
    appendFileSync(
      times,
      `${JSON.stringify({ file, ms: performance.now() - began, cpuMs } satisfies FileTimes)}\n`,
    );
  };
}
let fileCount = 0;
