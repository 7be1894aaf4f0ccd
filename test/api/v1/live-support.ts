import assert from 'node:assert/strict';
import { waitFor } from '../../support/wait-for.ts';

export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface OpenStream {
  readonly events: readonly ServerEvent[];
  readonly comments: readonly string[];
  /** Whether the other end has closed it. */
  readonly ended: boolean;
  /** The first event that `matches`, once it is there. */
  until(what: string, matches: (event: ServerEvent) => boolean): Promise<ServerEvent>;
  close(): Promise<void>;
}

/** Opens a stream of server-sent events, with a token or else a session's cookie, and reads it until it is closed. */
export async function openStream(
  address: string,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await fetch(address, {
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    signal: abort.signal,
  });
  assert.equal(response.status, 200, response.ok ? '' : await response.text());
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const events: ServerEvent[] = [];
  const comments: string[] = [];
  const state = { ended: false };
  const reading = (async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body!) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const block = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        if (block.startsWith(':')) comments.push(block);
        const data = field('data');
        if (data !== undefined) {
          events.push({ id: field('id')!, type: field('event')!, data: JSON.parse(data) });
        }
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      state.ended = true;
    });
  return {
    events,
    comments,
    get ended() {
      return state.ended;
    },
    until: (what, matches) => waitFor(what, () => events.find(matches)),
    async close() {
      abort.abort();
      await reading;
    },
  };
}
