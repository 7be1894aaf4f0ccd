import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Environment } from './environment.ts';
import { Installation, type Program } from './process.ts';
import { waitFor } from './wait-for.ts';

/** A request as it is sent, to the byte. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
}

/** Maximum milliseconds of processor time of a turn of the event loop, without that of new memory. */
const MAX_TURN_MS = 100;
/** New memory that a turn may write to: a body as text, or what a collection of garbage moves. */
const NEW_MEMORY = 24 * 1024 * 1024;
/** How often what went beyond it is tried again: a collection of garbage can fall into any turn. */
const ATTEMPTS = 3;
/**
 * Maximum bytes of requests that are watched together. When a group blocks the loop, its requests are watched one by one.
 */
const GROUP_BYTES = 2 * 1024 * 1024;

/**
 * Returns the milliseconds of processor time that a turn may take now. The first access to memory takes 0.1 µs a KiB, and 4 µs on
 * a virtual machine whose host provides memory at that moment: 84 ms for a body of 20 MiB, which is the machine's, not the program's.
 */
function longestTurnNow(): number {
  const before = process.threadCpuUsage();
  Buffer.allocUnsafeSlow(NEW_MEMORY).fill(1);
  const { user, system } = process.threadCpuUsage(before);
  return MAX_TURN_MS + (user + system) / 1_000;
}

/**
 * The real program with a watch on its event loop (loop-watch-probe.ts). It measures the processor time of the main thread
 * within one turn of the loop, so that other load on the machine makes no turn longer.
 */
export class WatchedProgram {
  readonly installation: Installation;
  readonly program: Program;

  private constructor(installation: Installation, program: Program) {
    this.installation = installation;
    this.program = program;
  }

  static async start(environment: Environment): Promise<WatchedProgram> {
    const probe = fileURLToPath(new URL('loop-watch-probe.ts', import.meta.url));
    const installation = new Installation({ ...environment, NODE_OPTIONS: `--import=${probe}` });
    return new WatchedProgram(installation, await installation.start());
  }

  /**
   * Sends requests one after the other. Asserts that no response is 500 and that no request blocked the loop. Returns the
   * statuses.
   */
  async check(name: string, requests: Iterable<Sent>): Promise<number[]> {
    const statuses: number[] = [];
    const slow: string[] = [];
    let group: Sent[] = [];
    let bytes = 0;
    const tryGroup = async () => {
      if ((await this.#turnOf(group, statuses)) > MAX_TURN_MS) {
        for (const one of group) {
          const { shortest, most } = await this.#shortestOf(() => this.#turnOf([one], statuses));
          if (shortest > most) slow.push(`${Math.round(shortest)} ms: ${describe(one)}`);
        }
      }
      group = [];
      bytes = 0;
    };
    // A generator makes them as they are sent: together they are hundreds of megabytes.
    for (const one of requests) {
      group.push(one);
      bytes += one.body?.length ?? 0;
      if (bytes > GROUP_BYTES) await tryGroup();
    }
    await tryGroup();
    assert.deepEqual(slow, [], `${name} held the event loop`);
    assert.ok(!statuses.includes(500), `${name} answered 500: ${statuses.join()}`);
    return statuses;
  }

  /** Returns the longest turn while the requests run one after the other; adds their statuses. */
  async #turnOf(requests: readonly Sent[], statuses: number[]): Promise<number> {
    await this.longestTurn();
    for (const one of requests) statuses.push(await this.send(one));
    return this.longestTurn();
  }

  /** Returns the longest turn of the best of some attempts, and how long it may be. */
  async #shortestOf(attempt: () => Promise<number>): Promise<{ shortest: number; most: number }> {
    let shortest = Number.POSITIVE_INFINITY;
    let most = MAX_TURN_MS;
    for (let made = 0; made < ATTEMPTS && shortest > most; made++) {
      shortest = Math.min(shortest, await attempt());
      if (shortest > most) most = Math.max(most, longestTurnNow());
    }
    return { shortest, most };
  }

  /** As `check`, for any other work of the program. */
  async checkWork(name: string, work: () => Promise<void>): Promise<void> {
    const { shortest, most } = await this.#shortestOf(async () => {
      await this.longestTurn();
      await work();
      return this.longestTurn();
    });
    assert.ok(shortest <= most, `${name} held the event loop for ${Math.round(shortest)} ms`);
  }

  /** Sends a request and reads the answer to its end; its status, and 0 when the connection was closed. */
  send({ method, path, headers = {}, body }: Sent): Promise<number> {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return new Promise((resolve) => {
      const sending = httpRequest(
        this.program.url + path,
        {
          method,
          headers: { ...headers, ...(bytes && { 'content-length': String(bytes.length) }) },
          timeout: 30_000,
        },
        (response) => {
          // A stream of events does not end, so the client closes it.
          if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
          response.resume();
          response.on('close', () => resolve(response.statusCode ?? 0));
        },
      );
      sending.on('error', () => resolve(0)).on('timeout', () => sending.destroy());
      sending.end(bytes);
    });
  }

  /** The longest turn since the last call, in milliseconds of processor time. */
  async longestTurn(): Promise<number> {
    const { program } = this;
    const before = program.output().split('LOOP ').length;
    process.kill(program.pid, 'SIGUSR2');
    const line = await waitFor('the watch answers', () => program.output().split('LOOP ')[before]);
    return Number.parseFloat(line);
  }
}

const describe = ({ method, path, headers = {}, body = '' }: Sent) =>
  `${method} ${path.slice(0, 100)} ${JSON.stringify(headers).slice(0, 300)} ${body.length} bytes: ${String(
    typeof body === 'string' ? body.slice(0, 200) : body.subarray(0, 200),
  )}`;
