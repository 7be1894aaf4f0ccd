import { appendFileSync, readFileSync } from 'node:fs';
import { type CpuGroup, cpuTimeOfGroup, enterGroup, makeGroupIn } from './cpu-group.ts';

/** What a test file has taken. */
export interface FileTimes {
  readonly file: string;
  readonly ms: number;
  /** Milliseconds of processor time, of the file's process and of all that it has started. */
  readonly cpuMs: number;
}

/** How long a clock tick of /proc is, in milliseconds: the same on every Linux (USER_HZ). */
const TICK_MS = 10;
/** Where a run keeps the times of its files, a line of JSON each. */
const times = process.env.CARILLON_TEST_TIMES;
/** The group of this process and of all that it starts, within the one of the run. */
let group: CpuGroup | undefined;
let others = 0;
let fileCount = 0;

/** Counts a process with its children that no process of the file has waited for, where no group counts them. */
export function addCpuTimeOf(pid: number): void {
  if (!group) others += cpuTimeOf(pid);
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

/** Has the kernel count this process and what it starts from here on, where the run has a group. */
function enterOwnGroup(): void {
  const path = process.env.CARILLON_TEST_CPU_GROUP;
  const made = path === undefined ? undefined : makeGroupIn({ path }, `files-${process.pid}`);
  if (made === undefined) return;
  // What it has taken so far, to load the service, stays with the group that it leaves.
  others += cpuTimeOf(process.pid);
  if (enterGroup(made)) group = made;
  else others = 0;
}

const cpuTime = () => others + (group ? cpuTimeOfGroup(group) : cpuTimeOf(process.pid));

/** To be called before a file begins; what it returns is to be called after it, and keeps its times for the run. */
export function startOfFile(file: string): () => void {
  const began = performance.now();
  // The first one of a process has its start, too.
  const isFirst = fileCount++ === 0;
  if (isFirst) enterOwnGroup();
  const cpuBefore = isFirst ? 0 : cpuTime();
  return () => {
    if (times === undefined) return;
    const cpuMs = cpuTime() - cpuBefore;
    appendFileSync(
      times,
      `${JSON.stringify({ file, ms: performance.now() - began, cpuMs } satisfies FileTimes)}\n`,
    );
  };
}
