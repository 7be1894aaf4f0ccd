import { readdirSync, readFileSync } from 'node:fs';

/* Process data of Linux (proc(5)). On other systems everything here is 0 or empty. */

/** Clock ticks per second in which /proc counts CPU time; 100 on every Linux that runs Node. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly name: string;
  readonly parent: number;
  /** CPU seconds of the process. */
  readonly own: number;
  /** CPU seconds of its ended children, after their exit status was read. */
  readonly children: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may contain anything; the fields are counted after it.
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

/** Returns the CPU seconds, user and system, of a process. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/** Returns the CPU seconds of a process and all its children, including ended ones. */
export function cpuOfFamily(pid: number): number {
  const stat = statOf(pid);
  if (!stat) return 0;
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), stat.own + stat.children);
}

/** Returns the children of a process, all or those with a name. */
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

/** Returns the arguments of a process. */
export function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

/** Returns the resident memory in bytes, now and its maximum since the start. */
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

/** Whether a process runs; false for an ended one in the process table. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Returns the CPU seconds of all processes of this machine since its start, including the kernel. */
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
