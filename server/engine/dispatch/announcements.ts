import type { Announcements, LateBound, Services } from '../../run/services.ts';
import type { Changes } from '../live/changes.ts';
import type { Peers } from './peers/peers.ts';
import type { Signals } from './signals.ts';

/**
 * @param others notifies dispatchers of other processes; undefined without other processes
 * @param peers dispatchers of other processes of this machine
 */
export const announcementsOf = (
  lateBound: LateBound,
  changes: Pick<Changes, 'notify'>,
  changed: Services['changed'],
  others: Signals | undefined,
  peers: Peers | undefined,
): Announcements => ({
  due(accountId, lane) {
    lateBound.dispatcher?.hint(accountId, lane);
    changes.notify(accountId);
    peers?.hint(accountId, lane);
    if (!peers?.areAll) others?.announceDue(accountId, lane);
  },
  announcePaused(shipment) {
    lateBound.dispatcher?.paused(shipment);
    changes.notify(shipment.accountId);
    others?.announcePaused(shipment);
  },
  announceResumed(shipment) {
    lateBound.dispatcher?.resumed(shipment);
    changes.notify(shipment.accountId);
    others?.announceResumed(shipment);
  },
  announceSuspended(accountId) {
    lateBound.dispatcher?.suspended(accountId);
    changes.notify(accountId);
    others?.announceSuspended(accountId);
  },
  cancelled(cancelled) {
    lateBound.dispatcher?.cancelled(cancelled);
    // Their hours; those of contacts that got their messages later are found by themselves.
    changed(cancelled.accountId, cancelled.shipmentIds);
    others?.announceCancelled(cancelled);
  },
  messagesCancelled(cancelled) {
    lateBound.dispatcher?.cancelledMessages(cancelled);
    changed(cancelled.accountId, cancelled.messageIds);
    others?.announceCancelledMessages(cancelled);
  },
});
