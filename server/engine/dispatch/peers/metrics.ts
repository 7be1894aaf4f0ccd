import { counter, gauge } from '../../../kit/observability/metrics.ts';

/** Directions of connections and messages, as seen by this process. */
type Direction = 'to' | 'from';

const directions: readonly Direction[] = ['to', 'from'];

export const peerMessages = counter(
  'carillon_peer_messages_total',
  'Accepted messages that went to the dispatcher of another process of this machine (to), or came from one that accepts (from), without the database.',
  'direction',
);

export const peerConnections = gauge(
  'carillon_peer_connections',
  'Open connections to dispatchers of other processes of this machine (to), and from processes that accept (from).',
  'direction',
);

export const peerReturned = counter(
  'carillon_peer_messages_returned_total',
  'Messages that were stored for a dispatcher of another process whose connection was lost before, so that any process may send them.',
);

for (const direction of directions) {
  peerMessages.inc({ direction }, 0);
  peerConnections.set({ direction }, 0);
}
