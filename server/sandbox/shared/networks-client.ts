import { Agent, request } from 'undici';
import type { Arrival, PhoneFeed } from '../../engine/live/hub.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { SandboxChanges, SandboxSettings } from '../../run/sandbox-handle.ts';
import type { Spoken } from './networks-server.ts';
import type { Receiver } from './receivers.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Longest time that a call may wait for its answer (SIP: 64 times T1), plus a margin. In milliseconds. */
const ANSWER_MS = 40_000;
const RECONNECT_MS = 200;

interface ClientDeps {
  readonly port: number;
  readonly key: string;
  readonly log: Logger;
}

/** An answer of the process that holds the networks. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** Calls the process that holds the networks of a shared sandbox (networks-server.ts). */
export class NetworksClient {
  readonly #deps: ClientDeps;
  readonly #agent = new Agent({ headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
  /** For the feed, whose body never ends. */
  readonly #feedAgent = new Agent({ headersTimeout: ANSWER_MS, bodyTimeout: 0 });
  readonly #feeds = new Set<Repeated>();

  constructor(deps: ClientDeps) {
    this.#deps = deps;
  }

  /** Arrivals at the simulated phones. Arrivals while no process holds the networks are lost. */
  readonly phones: PhoneFeed = {
    list: (phone) => this.#json('GET', `/arrivals/${phone}`),
    listen: (heard) => {
      const feed = repeat(
        RECONNECT_MS,
        (stopping) => this.#follow(heard, stopping),
        (error) => this.#deps.log.debug({ err: error }, 'simulated phones are not heard'),
      );
      this.#feeds.add(feed);
      return () => void feed.stop();
    },
  };

  /** Returns the behaviour of the networks. Throws Refusal `try-again` while no process holds them. */
  settings(): Promise<SandboxSettings> {
    return this.#json('GET', '/settings');
  }

  /** Throws Refusal `try-again` while no process holds them. */
  async change(changes: SandboxChanges): Promise<void> {
    await this.#json('PATCH', '/settings', changes);
  }

  async spoken(spoken: Spoken): Promise<void> {
    await this.#json('POST', '/spoken', spoken);
  }

  async receive(receiver: Receiver): Promise<void> {
    await this.#json('POST', '/receivers', receiver);
  }

  /** Forwards a request unchanged. Throws Refusal `try-again` while no process holds the networks. */
  async ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Answer> {
    const { port, key } = this.#deps;
    const isFile = Buffer.isBuffer(body);
    try {
      const answer = await request(`http://127.0.0.1:${port}${path}`, {
        method,
        dispatcher: this.#agent,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && {
            'content-type': isFile ? 'application/octet-stream' : 'application/json',
          }),
        },
        body: isFile ? body : body === undefined ? null : JSON.stringify(body),
      });
      const type = String(answer.headers['content-type'] ?? 'application/json');
      return { status: answer.statusCode, type, body: Buffer.from(await answer.body.arrayBuffer()) };
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'the simulated networks did not answer');
      throw new Refusal('try-again', 'no process has the simulated networks now, try again in some seconds');
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#feeds].map((feed) => feed.stop()));
    await Promise.all([this.#agent.destroy(), this.#feedAgent.destroy()]);
  }

  async #json<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<T> {
    const answer = await this.ask(method, path, body);
    if (answer.status === 200) return JSON.parse(answer.body.toString()) as T;
    throw new Error(
      `the simulated networks answered ${answer.status}: ${answer.body.toString().slice(0, 200)}`,
    );
  }

  /** Reports arrivals until the connection ends. */
  async #follow(heard: (arrival: Arrival) => void, signal: AbortSignal): Promise<void> {
    const { port, key } = this.#deps;
    const { body } = await request(`http://127.0.0.1:${port}/arrivals`, {
      dispatcher: this.#feedAgent,
      headers: { authorization: `Bearer ${key}` },
      signal,
    });
    let rest = '';
    for await (const chunk of body.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line !== '') heard(JSON.parse(line) as Arrival);
    }
  }
}
