/*
 * Receiver of callbacks: answers 200 to every request over HTTP/1.1 with keep-alive, and counts. It only detects the
 * end of a request.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { answer, sharedNow } from '../support/child.ts';
import { watch } from '../support/series.ts';

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
const END = Buffer.from('\r\n\r\n');

let count = 0;
let lastAt = 0;
let keepsNext = false;
let kept = '';
const counted = watch(() => count);

function receive(socket: Socket): void {
  let rest: Buffer | undefined;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    let data = rest ? Buffer.concat([rest, chunk]) : chunk;
    rest = undefined;
    while (data.length > 0) {
      const head = data.indexOf(END);
      const end = head < 0 ? Number.POSITIVE_INFINITY : head + END.length + lengthOfBody(data, head);
      if (data.length < end) {
        rest = data;
        return;
      }
      if (keepsNext) kept = data.toString('latin1', 0, end);
      keepsNext = false;
      data = data.subarray(end);
      count++;
      lastAt = sharedNow();
      socket.write(OK);
    }
  });
}

function lengthOfBody(data: Buffer, head: number): number {
  // 'G' of GET: no body.
  if (data[0] === 0x47) return 0;
  return Number(/\r\ncontent-length: *(\d+)/i.exec(data.toString('latin1', 0, head))?.[1] ?? 0);
}

const server = createServer({ noDelay: true }, receive);
const listening = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', 1_024, () => resolve((server.address() as AddressInfo).port));
});

answer({
  port: () => listening,
  /** Returns the count so far, and the time of the last one (`sharedNow`). */
  seen: () => ({ count, lastAt }),
  /** Keeps the next request. */
  keepNext() {
    keepsNext = true;
  },
  /** Returns the request that was kept. */
  kept: () => kept,
  restartSeries: () => counted.restart(),
  series: () => counted.series(),
});
