/*
 * A provider with an HTTP interface in a separate process. It accepts every message after a fixed time, and reports each as delivered,
 * many in a request. It shares the cores with the measured system, so it does little else.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from '../support/child.ts';

/** Milliseconds from a request to its answer, as a provider in the same country takes, and from there to the report. */
const ANSWER_MS = 50;
const REPORT_MS = 100;

interface Sent {
  readonly messages: readonly { readonly id: string; readonly report: string }[];
}

let requests = 0;
let messages = 0;
/** Ids to report, by the address for reports. */
const delivered = new Map<string, string[]>();

answer({
  /** Listens. Returns the port. */
  async listen(): Promise<number> {
    const server = createServer((request, response) => void take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  },
  counts: () => ({ requests, messages }),
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = (JSON.parse(Buffer.concat(chunks).toString()) as Sent).messages;
  requests++;
  messages += sent.length;
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ messages: sent.map(({ id }) => ({ id, state: 'accepted' })) }));
    for (const { id, report } of sent) {
      const ids = delivered.get(report);
      if (ids) ids.push(id);
      else {
        delivered.set(report, [id]);
        setTimeout(() => void reportTo(report), REPORT_MS);
      }
    }
  }, ANSWER_MS);
}

async function reportTo(address: string): Promise<void> {
  const ids = delivered.get(address)!;
  delivered.delete(address);
  const reports = ids.map((id) => ({ id, state: 'DELIVERED' }));
  for (let at = 0; at < reports.length; at += 500) {
    const body = JSON.stringify({ reports: reports.slice(at, at + 500) });
    const { status } = await fetch(address, { method: 'POST', body });
    if (status !== 200) throw new Error(`the service answers reports with ${status}`);
  }
}
