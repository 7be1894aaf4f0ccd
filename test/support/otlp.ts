import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { atEnd } from './database.ts';
import { waitFor } from './wait-for.ts';

type Value = string | number | boolean;

/** A span as a collector has it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** '' for the first of a trace. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  /** Numbers of the protocol: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
  readonly resource: Readonly<Record<string, Value>>;
}

/** A collector of OTLP over HTTP. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Headers of every export, in their order. */
  readonly requests: readonly IncomingMessage['headers'][];
  /** HTTP status of the responses to exports from now on; null sends no response. */
  answer: number | null;
  /** Waits for spans of a trace with these names; a repeated name waits for that number of spans. */
  trace(traceId: string, names: readonly string[]): Promise<readonly ReceivedSpan[]>;
  close(): Promise<void>;
}

/** Starts a collector; it ends with the test file. */
export async function startCollector({ port = 0, path = '/v1/traces' } = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const requests: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    void take(request, response);
  });
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push(request.headers);
    if (collector.answer === null) return;
    const isKnown = request.method === 'POST' && request.url === path;
    if (collector.answer === 200 && isKnown) {
      const body = Buffer.concat(chunks);
      spans.push(...spansOf(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
    }
    response.writeHead(isKnown ? collector.answer : 404, { 'content-type': 'application/x-protobuf' }).end();
  }
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((closed) => server.close(closed));
  };
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    answer: 200,
    trace: (traceId, names) => {
      const mine = () => spans.filter((span) => span.traceId === traceId);
      return waitFor(`spans of ${traceId}: ${names.join(', ')}`, () => {
        const left = mine().map(({ name }) => name);
        const isThere = (name: string) => {
          const at = left.indexOf(name);
          if (at >= 0) left.splice(at, 1);
          return at >= 0;
        };
        return names.every(isThere) && mine();
      }).catch((error: Error) => {
        const there = mine().map(({ name }) => name);
        throw new Error(`${error.message}; there are ${there.join(', ')}`, { cause: error });
      });
    },
    close,
  };
  atEnd(close);
  return collector;
}

type Fields = Map<number, (Buffer | bigint)[]>;

/** The fields of a message of Protocol Buffers, by their numbers: numbers as they are, everything else as octets. */
function fieldsOf(octets: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const octet = octets[at++]!;
      value |= BigInt(octet & 0x7f) << shift;
      if (octet < 0x80) return value;
    }
  };
  const slice = (length: number): Buffer => {
    at += length;
    return octets.subarray(at - length, at);
  };
  const read: Readonly<Record<number, () => Buffer | bigint>> = {
    0: varint,
    1: () => slice(8),
    2: () => slice(Number(varint())),
    5: () => slice(4),
  };
  while (at < octets.length) {
    const tag = Number(varint());
    const value = read[tag & 7]!();
    const known = fields.get(tag >> 3);
    if (known) known.push(value);
    else fields.set(tag >> 3, [value]);
  }
  return fields;
}

const messages = (fields: Fields, field: number) =>
  (fields.get(field) ?? []).map((value) => fieldsOf(value as Buffer));
const octetsOf = (fields: Fields, field: number) =>
  (fields.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const hex = (fields: Fields, field: number) => octetsOf(fields, field).toString('hex');
const text = (fields: Fields, field: number) => octetsOf(fields, field).toString('utf8');
const number = (fields: Fields, field: number) => Number(fields.get(field)?.[0] ?? 0);
const time = (fields: Fields, field: number) => Number(octetsOf(fields, field).readBigUInt64LE()) / 1e6;

/** An AnyValue: a text, a flag, or a number. */
function readValue(fields: Fields): Value {
  if (fields.has(1)) return text(fields, 1);
  if (fields.has(2)) return number(fields, 2) === 1;
  if (fields.has(3)) return number(fields, 3);
  return octetsOf(fields, 4).readDoubleLE();
}

const attributesOf = (fields: Fields, field: number) =>
  Object.fromEntries(
    messages(fields, field).map((pair) => [text(pair, 1), readValue(messages(pair, 2)[0]!)]),
  );

/** The spans of an ExportTraceServiceRequest (opentelemetry-proto, trace.proto). */
function spansOf(body: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0]!, 1);
    return messages(ofResource, 2)
      .flatMap((ofScope) => messages(ofScope, 2))
      .map((span) => ({
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        traceState: text(span, 3),
        parentSpanId: hex(span, 4),
        name: text(span, 5),
        kind: number(span, 6),
        start: time(span, 7),
        end: time(span, 8),
        attributes: attributesOf(span, 9),
        links: messages(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
        isError: messages(span, 15).some((status) => number(status, 3) === 2),
        resource,
      }));
  });
}
