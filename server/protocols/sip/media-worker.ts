import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { MediaOrder, MediaReport } from './media-messages.ts';
import { type MediaPair, MediaPorts } from './media-ports.ts';
import { Player } from './player.ts';

/*
 * The media thread: sockets and packets of all calls in a separate event loop, so that the service's work does not
 * delay packets. media-thread.ts controls it.
 */

/** Priority in the range of `nice`. Packets are due every 20 ms and take little CPU. */
const PRIORITY = -10;

interface Media {
  readonly ports: MediaPorts;
  readonly pair: MediaPair;
  player: Player | undefined;
}

const port = parentPort!;
/** Port allocators, keyed by address and range; each remembers the port used last. */
const ranges = new Map<string, MediaPorts>();
const open = new Map<number, Media>();
/** Ids closed before their ports were open. */
const abandoned = new Set<number>();
const opening = new Set<number>();

const tell = (report: MediaReport) => port.postMessage(report);

async function openMedia({ id, address, ports: range }: MediaOrder & { kind: 'open' }): Promise<void> {
  const key = `${address} ${range.from} ${range.to}`;
  const ports = ranges.get(key) ?? new MediaPorts(address, range);
  ranges.set(key, ports);
  opening.add(id);
  try {
    const pair = await ports.acquire();
    if (abandoned.has(id)) ports.release(pair);
    else {
      open.set(id, { ports, pair, player: undefined });
      tell({ kind: 'opened', id, port: pair.port });
    }
  } catch (error) {
    tell({ kind: 'failed', id, message: (error as Error).message });
  }
  opening.delete(id);
  abandoned.delete(id);
}

function play(order: MediaOrder & { kind: 'play' }): void {
  const { id, target, spoken, startDelayMs, progress } = order;
  const media = open.get(id);
  if (!media) return;
  const onDone = () => tell({ kind: 'done', id });
  media.player = new Player(target, { pair: media.pair, spoken, startDelayMs, progress, onDone });
  media.player.start();
}

function close(id: number): void {
  if (opening.has(id)) abandoned.add(id);
  const media = open.get(id);
  if (!media) return;
  open.delete(id);
  media.player?.stop();
  media.ports.release(media.pair);
}

port.on('message', (order: MediaOrder) => {
  if (order.kind === 'open') void openMedia(order);
  else if (order.kind === 'play') play(order);
  else if (order.kind === 'retarget') open.get(order.id)?.player?.retarget(order.target);
  else if (order.kind === 'stop') open.get(order.id)?.player?.stop();
  else if (order.kind === 'close') close(order.id);
  else {
    for (const id of open.keys()) close(id);
    port.close();
  }
});

if (process.platform === 'linux') {
  try {
    // On Linux this sets the priority of the calling thread. Only a privileged service may raise it.
    setPriority(0, PRIORITY);
  } catch {}
}
