import { readdirSync, readFileSync } from 'node:fs';

/*
 * What Linux says about processes (proc(5)). Elsewhere everything here is 0 or empty.
 */

/** Ticks of the clock that /proc counts CPU time in; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly name: string;
  readonly parent: number;
  /** CPU seconds of the process. */
  readonly own: number;
  /** CPU seconds of its children that have ended and were waited for. */
  readonly children: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may hold anything; numbers are counted from behind it.
    const end = line.lastIndexOf(')');
    const fields = line.slice(end + 2).split(' ');
    const seconds = (index: number) => Number(fields[index]) / TICKS_PER_SECOND;
    return {
      name: line.slice(line.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      own: seconds(11) + seconds(12),
      children: seconds(13) + seconds(14),
    };
  } catch {
    return undefined;
  }
}

/** CPU seconds, user and system, that a process has used. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/** CPU seconds of a process with all its children, those that have ended included. */
export function cpuOfFamily(pid: number): number {
  const stat = statOf(pid);
  if (!stat) return 0;
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), stat.own + stat.children);
}

/** Children of a process, all or those with a name. */
export function childrenOf(pid: number, name?: string): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
  return names.map(Number).filter((candidate) => {
    const stat = statOf(candidate);
    return stat?.parent === pid && (name === undefined || stat.name === name);
  });
}

/** The arguments that a process was started with. */
export function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

/** Resident memory now and at its highest since the start, in bytes. */
export function memoryOf(pid: number): { now: number; most: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kibibytes = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { now: kibibytes('VmRSS') * 1024, most: kibibytes('VmHWM') * 1024 };
  } catch {
    return { now: 0, most: 0 };
  }
}

/** Whether a process runs; one that has ended and was not waited for does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** CPU seconds that all processes of this machine have used since it was started, the kernel's own work included. */
export function cpuOfMachine(): number {
  try {
    const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]!
      .split(/ +/);
    return (
      [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
    );
  } catch {
    return 0;
  }
}
