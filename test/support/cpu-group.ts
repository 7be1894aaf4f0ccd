import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A group of processes whose processor time the kernel counts (cgroup version 2). A process that starts in it stays in it
 * with everything that it starts, also when its parent ends first, as the processes of a browser do.
 */
export interface CpuGroup {
  readonly path: string;
}

/** Makes a group below the one of this process; undefined where the kernel has none or its user may not. */
export function makeCpuGroup(name: string): CpuGroup | undefined {
  const own = ownGroup();
  return own && makeGroupIn(own, name);
}

/** Makes a group within another one. */
export function makeGroupIn({ path: parent }: CpuGroup, name: string): CpuGroup | undefined {
  const path = join(parent, name);
  try {
    mkdirSync(path);
    return { path };
  } catch {
    return undefined;
  }
}

/** Moves this process, and nothing that it has started before, into a group. Returns whether that was allowed. */
export function enterGroup({ path }: CpuGroup): boolean {
  try {
    writeFileSync(join(path, 'cgroup.procs'), String(process.pid));
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds of processor time, of user and system, of all that ran in the group and in those within it. */
export function cpuTimeOfGroup({ path }: CpuGroup): number {
  return Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(path, 'cpu.stat'), 'utf8'))![1]) / 1_000;
}

/** Removes a group and those within it. Returns false while a process runs in one of them. */
export function removeGroup({ path }: CpuGroup): boolean {
  try {
    const within = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const removed = within.map(({ name }) => removeGroup({ path: join(path, name) }));
    if (removed.includes(false)) return false;
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The group that this process is in. */
export function ownGroup(): CpuGroup | undefined {
  try {
    const name = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))![1]!;
    const mount = / - cgroup2 /m.exec(readFileSync('/proc/self/mountinfo', 'utf8'));
    const line = mount!.input.slice(mount!.input.lastIndexOf('\n', mount!.index) + 1, mount!.index);
    return { path: join(line.split(' ')[4]!, name) };
  } catch {
    return undefined;
  }
}
