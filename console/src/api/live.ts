import { useEffect, useRef } from 'react';
import { forAccount } from './acting.ts';
import { client } from './client.ts';

/** What /v1/live can be asked to watch: ids or phones, with commas between them; every conversation, and one with its messages. */
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
    // It connects again of its own accord. Every stream ends after a time: whether the service is gone is asked.
    source.addEventListener('error', () => void client.GET('/v1/session').catch(() => {}));
    return () => source.close();
  }, [query]);
}
