import { useSyncExternalStore } from 'react';

/*
 * Whether what is shown is live: the service answers, and the streams of live updates are connected. Pages that refresh
 * automatically keep their last data while it is not.
 */

/** Milliseconds in which a stream may reconnect: the service ends each one after ten minutes. */
const GRACE_MS = 5_000;

/** Time of the first request without an answer since the last answer (ms since 1970). */
let unansweredAt: number | undefined;
/** Streams without a connection, and when they lost it (ms since 1970). */
const lost = new Map<object, number>();
const graces = new Map<object, ReturnType<typeof setTimeout>>();
let updates = 0;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Notes how the last request ended: with an answer of the service, or without one. */
export function noteReachable(answered: boolean): void {
  if (answered === (unansweredAt === undefined)) return;
  unansweredAt = answered ? undefined : Date.now();
  tell();
}

/** Notes that a stream of live updates is connected, or was closed by its page; or that it lost its connection. */
export function noteStream(stream: object, connected: boolean): void {
  if (connected) {
    clearTimeout(graces.get(stream));
    graces.delete(stream);
    if (lost.delete(stream)) tell();
  } else if (!graces.has(stream)) {
    const at = Date.now();
    const note = () => {
      lost.set(stream, at);
      tell();
    };
    graces.set(stream, setTimeout(note, GRACE_MS));
  }
}

/** Notes a live update of what is shown. */
export function noteUpdate(): void {
  updates++;
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the last request had an answer. */
export const useReachable = (): boolean => useSyncExternalStore(subscribe, () => unansweredAt === undefined);

function behindSince(): number | undefined {
  const first = Math.min(unansweredAt ?? Number.POSITIVE_INFINITY, ...lost.values());
  return Number.isFinite(first) ? first : undefined;
}

/** Time since which what is shown may be out of date (ms since 1970); undefined while it is live. */
export const useBehindSince = (): number | undefined => useSyncExternalStore(subscribe, behindSince);

/** Number of live updates since the console was opened. */
export const useUpdates = (): number => useSyncExternalStore(subscribe, () => updates);
