import { useEffect, useRef } from 'react';
import { forAccount } from './acting.ts';
import { client } from './client.ts';

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
    const source = new EventSource(forAccount(`/v1/live?${query}`));
    for (const type of events) {
      source.addEventListener(type, (event) => current.current[type]?.(JSON.parse(event.data)));
    }
    // The browser reconnects automatically. The service ends every stream after a time, so this request checks whether the
    // service still answers.
    source.addEventListener('error', () => void client.GET('/v1/session').catch(() => {}));
    return () => source.close();
  }, [query]);
}
