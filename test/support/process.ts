import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { connect, type DatabaseTarget, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded, type EmbeddedPostgres } from '../../server/database/embedded.ts';
import type { Purpose } from '../../server/run/health.ts';
import { commandRunner } from './command-runner.ts';
import { type Environment, environmentOfRun } from './environment.ts';
import { VOICE_ESPEAK } from './espeak.ts';
import { addCpuTimeOf } from './file-times.ts';
import { programFile } from './program.ts';
import { SECRET_KEY } from './secrets.ts';
import { copySeed } from './seed-cluster.ts';
import { waitFor } from './wait-for.ts';

/** The environment of a process of the real program. */
const bare: Environment = {
  ...environmentOfRun,
  HOST: '127.0.0.1',
  PORT: '0',
  SANDBOX: 'off',
  VERIFY_SOURCES: 'off',
  RATE_LIMIT_ACCOUNT: '0',
  RATE_LIMIT_ADDRESS: '0',
  LOG_LEVEL: 'info',
  SECRET_KEY,
  ...(VOICE_ESPEAK !== undefined && { VOICE_ESPEAK }),
};

/** The setting DATABASE_URL for a server on a Unix socket. */
export function databaseUrl(target: Exclude<DatabaseTarget, { url: string }>): string {
  const { host, port, password, database } = target;
  return `postgres://carillon:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The real program, running as a child process. */
export interface Program {
  /** Address of the API; '' for a process without the role `api`. */
  readonly url: string;
  readonly pid: number;
  /** Logs and other output so far. */
  readonly output: () => string;
  readonly ended: Promise<Ending>;
  /** kill -9, fulfilled when it is gone. The embedded PostgreSQL lives on. */
  kill(): Promise<void>;
  /** SIGTERM; how it ended. */
  stop(): Promise<Ending>;
}

/** A data folder with the settings to start programs on it. Ends the programs and removes the folder with the test file. */
export class Installation {
  readonly folder: string;
  readonly #environment: Environment;
  readonly #children = new Set<ChildProcess>();
  readonly #commands = commandRunner();
  #sql: Sql | undefined;
  #embedded: EmbeddedPostgres | undefined;

  /**
   * With `empty` the first start creates the cluster and the schema; otherwise they already exist. `parent` is the folder
   * for its folder.
   */
  constructor(environment: Environment = {}, { empty = false, parent = tmpdir() } = {}) {
    this.folder = mkdtempSync(join(parent, 'carillon-program-'));
    // PostgreSQL runs as another user when the tests run as root.
    chmodSync(this.folder, 0o755);
    if (!empty && environment.DATABASE_URL === undefined) copySeed(this.folder);
    this.#environment = {
      ...bare,
      DATA_DIR: this.folder,
      ...environment,
    };
    after(() => this.#remove());
  }

  /** Starts the program and waits until it has started; with `ready`, also until it can accept and dispatch. */
  async start(
    options: {
      args?: readonly string[];
      environment?: Environment;
      ready?: boolean;
      /** The file of the program; that of this version without it. */
      main?: string;
      /** Time limit of the start in milliseconds. */
      limitMs?: number;
      /** Called before the program is ready, with a function that returns its output so far. */
      spawned?: (output: () => string) => void;
    } = {},
  ): Promise<Program> {
    const { args = ['start'], environment = {}, ready = true, limitMs = 150_000 } = options;
    const program = this.#spawn(args, environment, options.main);
    options.spawned?.(program.output);
    const started = await Promise.race([
      waitFor('the program has started', () => /"msg":"ready"/.test(program.output()), limitMs),
      program.ended,
    ]).catch(async (error: Error) => {
      // The caller gets no handle when the start fails, so the process is ended here.
      await program.kill();
      throw new Error(`${error.message}\n${program.output().slice(-4_000)}`, { cause: error });
    });
    if (started !== true) throw new Error(`the program ended at once:\n${program.output()}`);
    const url = /"url":"([^"]+)".*"msg":"ready"/.exec(program.output())?.[1] ?? '';
    if (ready && url !== '') {
      const purpose = args.includes('--role') && !args.includes('dispatch') ? 'accept' : 'dispatch';
      await waitFor('the program is ready', async () => (await readiness(url, purpose)).ready).catch(
        async (error: unknown) => {
          await program.kill();
          throw error;
        },
      );
    }
    return { ...program, url };
  }

  /** Starts the program and expects it to fail. Returns its ending and its output. */
  async startInVain(
    environment: Environment = {},
    args: readonly string[] = ['start'],
    /** The file of the program; that of this version without it. */
    file?: string,
  ): Promise<Ending & { output: string }> {
    const program = this.#spawn(args, environment, file);
    const ending = await program.ended;
    return { ...ending, output: program.output() };
  }

  /** Runs a command of the command line while the program runs; returns its JSON output. */
  async command<T>(...args: string[]): Promise<T> {
    const environment = this.#environment;
    const { code, out, err } = await this.#commands.run({ environment, args: [...args, '--json'] });
    assert.equal(code, 0, `carillon ${args.join(' ')}: ${err}`);
    return JSON.parse(out) as T;
  }

  /** An account with credits and a token, made by the command line, and known to the program at `url`. */
  async account(
    url: string,
    username: string,
    credits: number,
  ): Promise<{ id: number; username: string; token: string }> {
    const { id } = await this.command<{ id: number }>('account', 'create', username);
    const [{ token }] = await Promise.all([
      this.command<{ token: string }>('token', 'create', username),
      this.command('wallet', 'add', username, String(credits)),
    ]);
    await knownTo(url, { username, token });
    return { id, username, token };
  }

  /** The embedded database of the program, which has to be running. */
  async sql(): Promise<Sql> {
    if (!this.#sql) {
      this.#embedded = await attachEmbedded(this.folder);
      this.#sql = connect(this.#embedded.target, { max: 2, application: 'test' });
    }
    return this.#sql;
  }

  /** The process number of the embedded PostgreSQL; undefined when none runs. */
  postmaster(): number | undefined {
    try {
      const pid = Number(
        readFileSync(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
      );
      return isRunning(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  #spawn(args: readonly string[], environment: Environment, file = programFile): Omit<Program, 'url'> {
    const child = spawn(process.execPath, [file, ...args], {
      // A folder without a .env.
      cwd: this.folder,
      env: { ...this.#environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const ended = new Promise<Ending>((resolve) => {
      child.once('close', (code, signal) => {
        this.#children.delete(child);
        resolve({ code, signal });
      });
    });
    return {
      pid: child.pid!,
      output: () => output,
      ended,
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
      async stop() {
        child.kill('SIGTERM');
        return ended;
      },
    };
  }

  async #remove(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await waitFor('the programs are gone', () => this.#children.size === 0);
    await this.#commands.idle();
    await this.#sql?.end({ timeout: 1 });
    const postmaster = this.postmaster();
    if (postmaster !== undefined) {
      addCpuTimeOf(postmaster);
      // SIGQUIT shuts down immediately; the data is no longer needed.
      process.kill(postmaster, 'SIGQUIT');
      await waitFor('PostgreSQL is gone', () => !isRunning(postmaster));
    }
    await rm(this.folder, { recursive: true, force: true });
    if (!this.#embedded) return;
    await this.#embedded.stop();
    await rm((this.#embedded.target as { host: string }).host, { recursive: true, force: true });
  }
}

/** Waits until the program at `url` has loaded an account: a running program reloads the accounts every few seconds. */
export async function knownTo(url: string, caller: { username: string; token: string }): Promise<void> {
  await waitFor('the program knows the account', async () => {
    const response = await fetch(`${url}/api`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.token}` },
      body: JSON.stringify({ balance: { user: { username: caller.username } } }),
    });
    return ((await response.json()) as { status: number }).status === 0;
  });
}

/** The answer of `/readyz` for a purpose. */
export async function readiness(
  url: string,
  purpose: Purpose = 'accept',
): Promise<{ ready: boolean; problems: string[] }> {
  const response = await fetch(`${url}/readyz?for=${purpose}`);
  const { problems } = (await response.json()) as { problems: string[] };
  return { ready: response.status === 200, problems };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A child that has ended stays in the table of processes until its parent has read how.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
