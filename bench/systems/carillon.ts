import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atTheEnd } from '../support/cleanup.ts';
import { argumentsOf, childrenOf, cpuOf, cpuOfFamily, isRunning, memoryOf } from '../support/proc.ts';
import { freePort, until } from '../support/wait.ts';
import type { LoadTarget } from './requests.ts';
import type { Surroundings, System } from './system.ts';

const main = fileURLToPath(new URL('../../server/carillon.js', import.meta.url));
// With the options of `npm start`.
const { scripts } = createRequire(import.meta.url)('../../package.json') as { scripts: { start: string } };
/** Options of node in `npm start`. */
export const flags = scripts.start.split(' ').filter((word) => word.startsWith('--'));
const run = promisify(execFile);
/** Time zone in which the service reads and writes times of accounts. */
export const TIME_ZONE = 'UTC';
/**
 * Milliseconds in which a running service notices an endpoint registered by another process: a second, plus a margin.
 */
export const ENDPOINT_SEEN_MS = 2_500;

export interface Carillon extends System {
  readonly pid: number;
  /** Milliseconds from the start of the process to 200 from /readyz?for=dispatch. */
  readonly startMs: number;
  /** Seconds of CPU of the server process until then, without PostgreSQL. */
  readonly startCpu: number;
  /** Returns the resident memory of the server process in bytes, without PostgreSQL. */
  memory(): { now: number; most: number };
  /**
   * Creates an account with credits, a token and, if wanted, a `dlr` push. Returns the target for the load generator.
   */
  createAccount(username: string, push: boolean): Promise<LoadTarget & { kind: 'carillon' }>;
  /** Runs a command of the command line while the server runs. Returns its JSON output. */
  command<T>(...words: string[]): Promise<T>;
  /** Returns a sample of the server's `/metrics` by its name and labels, as written there; 0 if it is missing. */
  metric(sample: string): Promise<number>;
  /** Ends the server and PostgreSQL; the data stays for another start. */
  end(): Promise<void>;
}

export interface CarillonOptions extends Surroundings {
  /** Options of the SMPP connector, as in SMPP_URL. */
  readonly smppOptions?: string;
  /** System id of the bind, one that the network knows: receipts go to the process that has bound with it. */
  readonly systemId?: string;
  /** File for a CPU profile of the server process. */
  readonly profile?: string | undefined;
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Words of the command line; default `start`. */
  readonly words?: readonly string[];
  /** Account of `target`; created by default. */
  readonly target?: LoadTarget & { kind: 'carillon' };
}

/** Starts `carillon start` with an embedded PostgreSQL in `folder`, and creates an account. */
export async function startCarillon(options: CarillonOptions): Promise<Carillon> {
  const { smscPort, callbackPort, folder, profile, words = [] } = options;
  await mkdir(folder, { recursive: true });
  const [port, metricsPort] = [await freePort(), await freePort()];
  const settings = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    // Every process has it, in any role.
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'warn',
    TIME_ZONE,
    SANDBOX: 'off',
    SMPP_URL: `smpp://${options.systemId ?? 'carillon'}:bench@127.0.0.1:${smscPort}?${options.smppOptions ?? ''}`,
    RATE_LIMIT_ACCOUNT: '0',
    RATE_LIMIT_ADDRESS: '0',
    VERIFY_SOURCES: 'off',
    WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
    ...options.settings,
  };
  const log = openSync(join(folder, 'carillon.log'), 'a');
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, [...flags, main, ...words], {
    cwd: folder,
    env: { ...settings, ...(profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }) },
    stdio: ['ignore', log, log],
    // Outside of the terminal's group: Ctrl-C is for the bench, which ends the server at the right time.
    detached: true,
  });
  closeSync(log);
  let ending = false;
  child.once('exit', (code, signal) => {
    if (!ending) console.error(`  the server has ended by itself: ${signal ?? `exit code ${code}`}`);
  });
  const pid = child.pid!;
  let postgres: number | undefined;
  let folders: string[] = [];
  const stop = atTheEnd(async () => {
    findPostgres();
    await end();
    for (const path of folders) await rm(path, { recursive: true, force: true });
  });

  // A process with the role `api` alone does not dispatch.
  const purpose = words.at(-1) === 'api' ? 'accept' : 'dispatch';
  await until(
    async () => {
      if (!isRunning(pid)) throw new Error(`the server has ended, see ${join(folder, 'carillon.log')}`);
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz?for=${purpose}`).catch(() => null);
      return answer?.status === 200;
    },
    'the server is ready',
    { withinMs: 60_000, everyMs: 5 },
  );
  const startMs = performance.now() - spawnedAt;
  const startCpu = cpuOf(pid);
  findPostgres();
  const { PROCESSES = '1' } = options.settings ?? {};
  const areAllReady = async () =>
    (await command<{ processes: unknown[] }>('status')).processes.length === Number(PROCESSES);
  if (PROCESSES !== '1')
    await until(areAllReady, 'all processes are ready', { withinMs: 60_000, everyMs: 500 });
  const target = options.target ? { ...options.target, port } : await createAccount('bench', true);

  return {
    name: 'Carillon',
    pid,
    startMs,
    startCpu,
    target,
    createAccount,
    command,
    cpu: () => ({ server: cpuOfServer(), postgres: postgres === undefined ? 0 : cpuOfFamily(postgres) }),
    memory: () => memoryOf(pid),
    metric,
    end,
    stop,
  };

  /** Of the process, or of a supervisor with its processes. */
  function cpuOfServer(): number {
    const processes = childrenOf(pid).filter((child) => child !== postgres);
    return processes.reduce((sum, child) => sum + cpuOf(child), cpuOf(pid));
  }

  function findPostgres(): void {
    postgres ??= childrenOf(pid, 'postgres')[0];
    if (postgres !== undefined && folders.length === 0) folders = foldersOf(postgres);
  }

  async function metric(sample: string): Promise<number> {
    const lines = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const line = lines.split('\n').find((one) => one.startsWith(`${sample} `));
    return Number(line?.slice(sample.length + 1) ?? 0);
  }

  async function end(): Promise<void> {
    ending = true;
    if (isRunning(pid)) child.kill('SIGTERM');
    await until(() => !isRunning(pid), 'the server ends').catch(() => child.kill('SIGKILL'));
    // It stops its PostgreSQL, unless it was killed.
    if (postgres === undefined || !isRunning(postgres)) return;
    process.kill(postgres, 'SIGINT');
    await until(() => !isRunning(postgres!), 'PostgreSQL ends');
  }

  async function createAccount(username: string, push: boolean): Promise<LoadTarget & { kind: 'carillon' }> {
    await command('account', 'create', username);
    await command('wallet', 'add', username, '100000000');
    const { token } = await command<{ token: string }>('token', 'create', username);
    if (push) {
      await command('webhook', 'add', username, `http://127.0.0.1:${callbackPort}/dlr`, '--kind', 'dlr');
      await pause(ENDPOINT_SEEN_MS);
    }
    return { kind: 'carillon', port, username, token };
  }

  async function command<T>(...wanted: string[]): Promise<T> {
    const { stdout } = await run(process.execPath, [main, ...wanted, '--json'], {
      cwd: folder,
      env: settings,
    });
    return JSON.parse(stdout) as T;
  }
}

/** Returns the folders of PostgreSQL's data and socket: when started as root, the data is not always in DATA_DIR. */
function foldersOf(postgres: number): string[] {
  const words = argumentsOf(postgres);
  const cluster = words[words.indexOf('-D') + 1];
  const sockets = words.find((word) => word.startsWith('unix_socket_directories='))?.split('=')[1];
  const folders: string[] = [];
  if (cluster?.endsWith('/postgres')) folders.push(dirname(cluster));
  if (sockets) folders.push(sockets);
  return folders;
}
