import { useSyncExternalStore } from 'react';

/*
 * Whether the service answers. Pages that refresh automatically keep their last data while it does not.
 */

let reachable = true;
const listeners = new Set<() => void>();

/** Notes how the last request ended: with an answer of the service, or without one. */
export function noteReachable(answered: boolean): void {
  if (answered === reachable) return;
  reachable = answered;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the last request had an answer. */
export const useReachable = (): boolean => useSyncExternalStore(subscribe, () => reachable);
