import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { atTheEnd } from '../support/cleanup.ts';
import { cpuOf, isRunning } from '../support/proc.ts';
import { freePort, until } from '../support/wait.ts';
import type { Surroundings, System } from './system.ts';

/** Returns the version of Kannel on this machine, or null when it is not installed. */
export function kannelVersion(): string | null {
  const { stdout } = spawnSync('bearerbox', ['--version'], { encoding: 'utf8' });
  return /version .?([\d.]+)/.exec(stdout ?? '')?.[1] ?? null;
}

/** Maximum unanswered submit_sm: more than Kannel's default of 10, which is slower here. */
const MAX_PENDING = 100;

/**
 * Starts Kannel: bearerbox with a spool store and one SMPP transceiver with up to `maxPending` unanswered submit_sm,
 * and smsbox.
 */
export async function startKannel(
  { smscPort, callbackPort, folder }: Surroundings,
  maxPending = MAX_PENDING,
): Promise<System> {
  const spool = join(folder, 'spool');
  await mkdir(spool, { recursive: true });
  const ports = { admin: await freePort(), box: await freePort(), http: await freePort() };
  const configuration = join(folder, 'kannel.conf');
  await writeFile(configuration, configurationOf(ports, { smscPort, maxPending, spool, folder }));

  const bearerbox = launch('bearerbox', configuration, folder);
  await until(() => answers(ports.box), 'bearerbox takes its smsbox');
  const smsbox = launch('smsbox', configuration, folder);
  await until(() => answers(ports.http), 'smsbox takes requests');
  await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.admin}/status.txt?password=bench`).catch(() => null);
    return /\(online/.test((await answer?.text()) ?? '');
  }, 'Kannel is connected');

  return {
    name: 'Kannel',
    target: { kind: 'kannel', port: ports.http, callbackPort },
    cpu: () => ({ bearerbox: cpuOf(bearerbox.pid), smsbox: cpuOf(smsbox.pid) }),
    async stop() {
      await smsbox.stop();
      await bearerbox.stop();
    },
  };
}

function launch(program: string, configuration: string, folder: string) {
  // Logs only at level 4 (panics), because logging costs Kannel much time.
  const child: ChildProcess = spawn(program, ['-v', '4', configuration], { cwd: folder, stdio: 'ignore' });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} cannot be started`);
  const stop = atTheEnd(async () => {
    child.kill('SIGTERM');
    // It drains first; the second signal stops it immediately.
    await until(() => !isRunning(pid), `${program} ends`, { withinMs: 5_000 }).catch(() =>
      child.kill('SIGKILL'),
    );
  });
  return { pid, stop };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function configurationOf(
  ports: { admin: number; box: number; http: number },
  {
    smscPort,
    maxPending,
    spool,
    folder,
  }: { smscPort: number; maxPending: number; spool: string; folder: string },
): string {
  const groups: Record<string, string | number>[] = [
    {
      group: 'core',
      'admin-port': ports.admin,
      'admin-interface': '127.0.0.1',
      'admin-password': 'bench',
      'smsbox-port': ports.box,
      'smsbox-interface': '127.0.0.1',
      'box-allow-ip': '127.0.0.1',
      'store-type': 'spool',
      'store-location': spool,
      'dlr-storage': 'internal',
      'log-file': join(folder, 'bearerbox.log'),
      'log-level': 4,
    },
    {
      group: 'smsc',
      smsc: 'smpp',
      'smsc-id': 'bench',
      host: '127.0.0.1',
      port: smscPort,
      'transceiver-mode': 'true',
      'smsc-username': 'kannel',
      'smsc-password': 'bench',
      'system-type': '""',
      'interface-version': 34,
      'max-pending-submits': maxPending,
    },
    {
      group: 'smsbox',
      'bearerbox-host': '127.0.0.1',
      'sendsms-port': ports.http,
      'sendsms-interface': '127.0.0.1',
      'log-file': join(folder, 'smsbox.log'),
      'log-level': 4,
    },
    { group: 'sendsms-user', username: 'bench', password: 'bench' },
  ];
  const lines = groups.map((group) =>
    Object.entries(group)
      .map(([key, value]) => `${key} = ${value}`)
      .join('\n'),
  );
  return `${lines.join('\n\n')}\n`;
}
