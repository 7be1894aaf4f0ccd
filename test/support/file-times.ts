import { appendFileSync, readFileSync } from 'node:fs';
import { type CpuGroup, cpuTimeOfGroup, enterGroup, makeGroupIn } from './cpu-group.ts';

/** Time that a test file took. */
export interface FileTimes {
  readonly file: string;
  readonly ms: number;
  /** Milliseconds of processor time, of the file's process and of all that it has started. */
  readonly cpuMs: number;
}

/** How long a clock tick of /proc is, in milliseconds: the same on every Linux (USER_HZ). */
const TICK_MS = 10;
/** File in which a run records the times of its files, one JSON line each. */
const times = process.env.CARILLON_TEST_TIMES;
/** The group of this process and of all that it starts, within the one of the run. */
let group: CpuGroup | undefined;
let others = 0;
let fileCount = 0;

/** Counts a process with its children that no process of the file has waited for, where no group counts them. */
export function addCpuTimeOf(pid: number): void {
  if (!group) others += cpuTimeOf(pid);
}

/** Milliseconds of processor time of a process and of its ended children; 0 without /proc. */
export function cpuTimeOf(pid: number): number {
  try {
    // Behind the name, which may have spaces: the 12th to the 15th are the user and system times, own and of children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(11, 15);
    return fields.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  } catch {
    return 0;
  }
}

/** Moves this process to its own group, whose processor time the kernel counts with all children, if the run has a group. */
function enterOwnGroup(): void {
  const path = process.env.CARILLON_TEST_CPU_GROUP;
  const made = path === undefined ? undefined : makeGroupIn({ path }, `files-${process.pid}`);
  if (made === undefined) return;
  // The time used so far, to load the service, stays with the previous group.
  others += cpuTimeOf(process.pid);
  if (enterGroup(made)) group = made;
  else others = 0;
}

const cpuTime = () => others + (group ? cpuTimeOfGroup(group) : cpuTimeOf(process.pid));

/** Call it before a file begins; call the returned function after it to record its times for the run. */
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
