import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type {
  CarrierListener,
  OutgoingMessage,
  SubmitOutcome,
} from '../../../server/engine/carriers/carrier.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { HttpConnector } from '../../../server/protocols/http-carrier/connector.ts';
import type { HttpDescriptionInput } from '../../../server/protocols/http-carrier/description.ts';
import { CarrierDocument } from '../../../server/protocols/http-carrier/document.ts';
import type { CursorStore } from '../../../server/protocols/http-carrier/poller.ts';
import { readyDescription } from '../../../server/protocols/http-carrier/providers.ts';
import {
  type HttpCarrierInput,
  type HttpCarrierSettings,
  httpCarrierSettings,
} from '../../../server/protocols/http-carrier/settings.ts';

export const PATH_SECRET = 'a-secret-of-the-path-in-tests';
export const PUBLIC_URL = 'https://messages.example';

/** A request that a provider received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Returns the body of a request as a form or as JSON. */
export const formOf = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body));
// biome-ignore lint/suspicious/noExplicitAny: tests look at known members
export const jsonOf = ({ body }: Received): any => JSON.parse(body);

/** How a provider answers: a status with a body and headers, or what it does with the connection. */
export type Reply =
  | { readonly status: number; readonly body?: string | object; readonly headers?: Record<string, string> }
  /** Ends the connection after the head of an answer. */
  | { readonly head: number }
  /** Ends the connection after the request was read. */
  | 'cut'
  /** Never answers. */
  | 'silent';

/** A provider of tests on this machine, closed with the test. */
export async function startProvider(
  t: { after(close: () => Promise<void>): void },
  reply: (request: Received, count: number) => Reply | Promise<Reply>,
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void take(request, response);
  });
  async function take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = '', query = ''] = request.url!.split('?');
    const one = {
      method: request.method!,
      path,
      query: new URLSearchParams(query),
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    received.push(one);
    const answer = await reply(one, received.length);
    if (answer === 'silent') return;
    if (answer === 'cut') request.socket.destroy();
    else if ('head' in answer) {
      response.writeHead(answer.head, { 'content-length': '1000' });
      response.write('{', () => request.socket.destroy());
    } else {
      const { status, body = '', headers = {} } = answer;
      const isText = typeof body === 'string';
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
      response.end(isText ? body : JSON.stringify(body));
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  t.after(close);
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, received, close };
}

/** A ready description whose provider is at another origin. */
export function readyAt(name: string, origin: string): HttpDescriptionInput {
  const description = readyDescription(name) as HttpDescriptionInput;
  const path = description.send.url.replace(/^https:\/\/[^/]+/, '');
  return { ...description, send: { ...description.send, url: origin + path } };
}

/** Settings with a description; the provider may be on this machine. */
export const settingsOf = (
  input: Partial<HttpCarrierInput> & { description: unknown },
): HttpCarrierSettings =>
  httpCarrierSettings.parse({ name: 'test', pathSecret: PATH_SECRET, allowPrivate: true, ...input });

/** A small description of a JSON interface. */
export const simple = (origin: string, more: Partial<HttpDescriptionInput> = {}): HttpDescriptionInput => ({
  send: { url: `${origin}/send`, body: { json: { to: '{to.plus}', text: '{text}' } } },
  answer: {
    rules: [
      { when: { status: 200, at: '/id' }, then: 'accepted' },
      { when: { status: 429 }, then: 'throttled' },
      { when: { status: 401 }, then: 'again', fault: 'access' },
      { when: { status: 503 }, then: 'again' },
      { when: { status: '4xx' }, then: 'refused', as: 'rejected' },
    ],
    id: '/id',
    code: '/code',
  },
  ...more,
});

/** A message to a phone, valid for an hour. */
export const messageOf = (over: Partial<OutgoingMessage<string>> = {}): OutgoingMessage<string> => ({
  accountId: 1,
  id: 7_001,
  source: 'Shop',
  destination: '972501234567',
  payload: 'Hello',
  validUntil: Date.now() + 3_600_000,
  ...over,
});

/** A store of cursors in memory, by connector, kind and address. */
export function memoryCursors(): CursorStore & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    values,
    read: async (connector, kind, url) => values.get(key(connector, kind, url)),
    write: async (connector, kind, url, cursor) => void values.set(key(connector, kind, url), cursor),
  };
}

interface StartOptions {
  readonly cursors?: CursorStore;
  readonly listener?: Partial<CarrierListener>;
}

/** A connector that submits messages as fast as it has capacity, as the dispatcher does; stopped with the test. */
export function startConnector(
  t: TestContext,
  settings: HttpCarrierSettings,
  { cursors = memoryCursors(), listener = {} }: StartOptions = {},
) {
  const connector = new HttpConnector(settings, {
    cursors,
    clock: new AdjustableClock(),
    log: createLogger('silent'),
    publicUrl: () => PUBLIC_URL,
    allowPrivate: false,
  });
  const waiting: { message: OutgoingMessage<string>; settle: (outcome: SubmitOutcome) => void }[] = [];
  const feed = () => {
    while (waiting.length > 0 && connector.capacity() > 0) {
      const { message, settle } = waiting.shift()!;
      connector.submit(message, settle);
    }
  };
  const nothing = async () => {};
  connector.start({
    receipt: nothing,
    incoming: nothing,
    incomingPart: nothing,
    late: () => {},
    ready: feed,
    ...listener,
  });
  t.after(() => connector.stop(0));
  return {
    connector,
    send: (over: Partial<OutgoingMessage<string>> = {}) =>
      new Promise<SubmitOutcome>((settle) => {
        waiting.push({ message: messageOf(over), settle });
        feed();
      }),
  };
}

/** A JSON request or answer, as descriptions read it. */
export const jsonDocument = (body: unknown, status?: number) =>
  new CarrierDocument({
    ...(status !== undefined && { status }),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A form, as descriptions read it. */
export const formDocument = (fields: Record<string, string>) =>
  new CarrierDocument({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
