import { createSocket, type Socket } from 'node:dgram';
import type { TestContext } from 'node:test';

const HOST = '127.0.0.1';

/** What a relay does with a datagram that comes for the time given, from 1: how many copies of it go on. */
export type Treatment = (time: number, from: 'caller' | 'callee') => number;

export interface Relay {
  /** Where the caller sends to. */
  readonly port: number;
  /** Datagrams that were seen, both ways. */
  readonly seen: string[];
}

/** Every message is lost when it goes for the first time. */
export const losesFirst: Treatment = (time) => (time === 1 ? 0 : 1);
/** Every message of the callee's arrives three times. SIPp itself would take a copy for the next message. */
export const triples: Treatment = (_time, from) => (from === 'callee' ? 3 : 1);

/**
 * A stretch of network between a caller and a callee at `target`, both over UDP: `treatment` is asked for each datagram,
 * and told which time the same bytes come this way.
 */
export async function startRelay(t: TestContext, target: number, treatment: Treatment): Promise<Relay> {
  const outer = createSocket('udp4');
  const inner = createSocket('udp4');
  const times = new Map<string, number>();
  const seen: string[] = [];
  let caller = 0;
  t.after(() => {
    outer.close();
    inner.close();
  });
  const pass = (bytes: Buffer, from: 'caller' | 'callee', through: Socket, port: number) => {
    const key = `${from} ${bytes.toString('latin1')}`;
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    seen.push(`${from} ${bytes.toString('latin1').split('\r\n', 1)[0]}`);
    for (let copies = treatment(time, from); copies > 0; copies--) through.send(bytes, port, HOST);
  };
  outer.on('message', (bytes, { port }) => {
    caller = port;
    pass(bytes, 'caller', inner, target);
  });
  inner.on('message', (bytes) => pass(bytes, 'callee', outer, caller));
  for (const socket of [outer, inner]) {
    await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
  }
  return { port: outer.address().port, seen };
}
