import { useEffect, useRef } from 'react';
import { forAccount } from './acting.ts';
import { client } from './client.ts';
import { noteStream, noteUpdate } from './connection.ts';

/**
 * Query parameters of /v1/live: comma-separated ids or phone numbers; all conversations, or one conversation with its
 * messages.
 */
interface Watched {
  readonly messages?: string | undefined;
  readonly shipments?: string | undefined;
  readonly phones?: string | undefined;
  readonly conversations?: 'true' | undefined;
  readonly conversation?: string | undefined;
}

const events = ['message', 'shipment', 'phone', 'conversation'] as const;
type Handlers = Partial<Record<(typeof events)[number], (data: unknown) => void>>;

/** Milliseconds after which a stream that was refused, by a proxy of a stopped service, is opened again. */
const REOPEN_MS = 5_000;
/** A stream begins with the state of what it watches. Events of its first milliseconds are no updates. */
const STATE_MS = 1_000;

/** Calls back for what changes, as it does (`GET /v1/live`). With nothing to watch it asks for nothing. */
export function useLive(watched: Watched, handlers: Handlers): void {
  const current = useRef(handlers);
  useEffect(() => {
    current.current = handlers;
  });
  const wanted = Object.entries(watched).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(wanted).toString();
  useEffect(() => {
    if (query === '') return;
    return follow(`/v1/live?${query}`, (type, data) => current.current[type]?.(data));
  }, [query]);
}

/** Follows a stream until the returned function is called. */
function follow(path: string, heard: (type: (typeof events)[number], data: unknown) => void): () => void {
  const stream = {};
  let source: EventSource;
  let lastId = '';
  let reopening: ReturnType<typeof setTimeout> | undefined;
  function open() {
    let openedAt = Number.POSITIVE_INFINITY;
    source = new EventSource(forAccount(lastId === '' ? path : `${path}&last_event_id=${lastId}`));
    source.addEventListener('open', () => {
      openedAt = performance.now();
      noteStream(stream, true);
    });
    for (const type of events) {
      source.addEventListener(type, (event) => {
        lastId = event.lastEventId;
        if (performance.now() - openedAt > STATE_MS) noteUpdate();
        heard(type, JSON.parse(event.data));
      });
    }
    source.addEventListener('error', () => {
      noteStream(stream, false);
      // The service ends every stream after a time, so this request checks whether the service still answers.
      void client.GET('/v1/session').catch(() => {});
      // The browser reconnects lost streams, but does not repeat refused requests.
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
    });
  }
  open();
  return () => {
    clearTimeout(reopening);
    source.close();
    noteStream(stream, true);
  };
}
