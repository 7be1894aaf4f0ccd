import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../support/wait-for.ts';

/*
 * A bare Debian 12 with systemd, in namespaces of this machine: made by mmdebstrap, booted in a root and a network of its own. Needs root.
 * Everything in it ends with its first process, and its mounts with its namespace.
 */

/** Time for a boot on a machine that has much else to do. */
const START_MS = 180_000;

/** How the first process finds its root. systemd itself sets the loopback interface up. */
const boot = `
set -e
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount -t sysfs -o ro sys "$ROOT/sys"
if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
  mount -t cgroup2 cgroup2 "$ROOT/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$ROOT/sys/fs/cgroup"
  mkdir "$ROOT/sys/fs/cgroup/systemd" "$ROOT/sys/fs/cgroup/unified"
  mount -t cgroup -o none,name=systemd cgroup "$ROOT/sys/fs/cgroup/systemd"
  mount -t cgroup2 cgroup2 "$ROOT/sys/fs/cgroup/unified"
fi
mount -t tmpfs tmpfs "$ROOT/run"
mount -t tmpfs tmpfs "$ROOT/tmp"
cd "$ROOT"
mkdir -p host
pivot_root . host
umount -l /host
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system
`;

/** Result of a command. */
export interface Ran {
  readonly status: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

export class Machine {
  readonly #root: string;
  readonly #unshare: ChildProcess;
  readonly #systemd: number;

  private constructor(root: string, unshare: ChildProcess, systemd: number) {
    this.#root = root;
    this.#unshare = unshare;
    this.#systemd = systemd;
  }

  /** Makes a root in `folder` with these packages of Debian and boots it. Throws when it does not boot. */
  static async start(folder: string, packages: readonly string[]): Promise<Machine> {
    const root = join(folder, 'root');
    const include = ['systemd', 'systemd-sysv', ...packages].join(',');
    execFileSync('mmdebstrap', ['--variant=minbase', `--include=${include}`, 'bookworm', root], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const namespaces = ['--mount', '--pid', '--uts', '--ipc', '--cgroup', '--net', '--fork', '--kill-child'];
    const unshare = spawn('unshare', [...namespaces, 'sh', '-c', boot], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, ROOT: root },
    });
    const systemd = await waitFor('systemd has begun', () => {
      if (unshare.exitCode !== null) throw new Error('systemd did not boot');
      const [child] = readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8').split(' ');
      return child && readFileSync(`/proc/${child}/comm`, 'utf8') === 'systemd\n' ? Number(child) : undefined;
    });
    const machine = new Machine(root, unshare, systemd);
    await waitFor(
      'the machine runs',
      () => /running|degraded/.test(machine.run('systemctl is-system-running').output),
      START_MS,
    );
    return machine;
  }

  /** Runs a shell command in /root, as root or another user (`user` or `user:group`). */
  run(command: string, user = 'root'): Ran {
    const [uid, gid = uid] = user.split(':');
    const as = user === 'root' ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--init-groups'];
    const { status, stdout } = spawnSync(
      'nsenter',
      ['--target', String(this.#systemd), '--all', ...as, 'sh', '-c', `cd /root; { ${command}\n} 2>&1`],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' },
      },
    );
    return { status, output: stdout };
  }

  /** Runs a command that has to succeed; its output. */
  must(command: string, user?: string): string {
    const { status, output } = this.run(command, user);
    if (status !== 0) throw new Error(`${command}: exit status ${status}\n${output}`);
    return output.trim();
  }

  /** Writes a file. */
  write(path: string, content: Buffer | string): void {
    mkdirSync(join(this.#root, path, '..'), { recursive: true });
    writeFileSync(join(this.#root, path), content);
  }

  has(path: string): boolean {
    return existsSync(join(this.#root, path));
  }

  /** Ends every process of it and removes its root. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#unshare.once('exit', resolve));
    process.kill(this.#systemd, 'SIGKILL');
    await ended;
    rmSync(this.#root, { recursive: true, force: true });
  }
}
