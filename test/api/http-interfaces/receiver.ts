import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Receiver {
  /** Its address, without a path. */
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** Returns the status, the body and the content type of an answer. 200 and an empty body by default. */
  answer: (request: ReceivedRequest) => readonly [status: number, body: string, type?: string];
}

/** Starts a program that receives callbacks, on loopback. It ends with the file. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const receiver: Pick<Receiver, 'answer'> = { answer: () => [200, ''] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url!;
      const one = {
        method: request.method!,
        path,
        query: new URL(path, 'http://localhost').searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      const [status, body, type] = receiver.answer(one);
      response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}`, received });
}
