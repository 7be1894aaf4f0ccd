import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** Options of podman for this machine: `--runtime runc` where crun does not know its control groups. */
const OPTIONS = (process.env.PODMAN_OPTIONS ?? '').split(' ').filter((option) => option !== '');
/** A container may have no more than who starts it. */
const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];

/** For machines that have much else to do. */
const LIMIT_MS = 180_000;

/** What docs/containers.md says to run it with: nothing can be written but /data and /tmp, and nothing may be gained. */
export const HARDENED = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'];

/** Runs podman; what it printed. Throws with what it said when it fails. */
export function podman(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('podman', [...OPTIONS, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Runs buildah in the folder of the project; what it says is seen. */
export function buildah(...args: readonly string[]): void {
  execFileSync('buildah', [...args], { cwd: new URL('../..', import.meta.url), stdio: 'inherit' });
}

/** A container of the test. */
export class Container {
  readonly name: string;

  /** Starts it. `options` are those of podman, `args` those of the program. */
  constructor(name: string, image: string, options: readonly string[], args: readonly string[] = []) {
    this.name = name;
    podman('rm', '--force', '--ignore', '--time=0', name);
    podman('run', '--detach', '--name', name, ...LIMITS, ...options, image, ...args);
  }

  /** What it has logged and printed. */
  get output(): string {
    const { stdout, stderr } = spawnSync('podman', [...OPTIONS, 'logs', this.name], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  }

  /** Its exit code, once it has ended. */
  get exitCode(): number | undefined {
    const [status, code] = podman(
      'inspect',
      '--format',
      '{{.State.Status}} {{.State.ExitCode}}',
      this.name,
    ).split(' ');
    return status === 'exited' ? Number(code) : undefined;
  }

  /** Runs a shell command in it; what that printed. */
  sh(command: string): string {
    return podman('exec', this.name, 'sh', '-c', command);
  }

  /** Runs the health check of the image; whether it succeeds. */
  isHealthy(): boolean {
    return spawnSync('podman', [...OPTIONS, 'healthcheck', 'run', this.name]).status === 0;
  }

  /** SIGTERM; its exit code, and how long it took, milliseconds. */
  async stop(): Promise<{ code: number; took: number }> {
    const began = performance.now();
    podman('kill', '--signal=TERM', this.name);
    const code = await until('the container ends', () => this.exitCode);
    return { code, took: performance.now() - began };
  }

  start(): void {
    podman('start', this.name);
  }

  remove(): void {
    podman('rm', '--force', '--ignore', '--time=0', this.name);
  }
}

/** Waits, three minutes at most, until `condition` gives something. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  for (const end = performance.now() + LIMIT_MS; performance.now() < end; await pause(200)) {
    const value = await condition();
    if (value !== undefined) return value;
  }
  throw new Error(`waited in vain: ${what}`);
}
