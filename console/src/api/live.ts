import { useEffect, useRef } from 'react';
import { forAccount } from './acting.ts';
import { client } from './client.ts';

/** What /v1/live can be asked to watch: ids or phones, with commas between them. */
interface Watched {
  readonly messages?: string | undefined;
  readonly shipments?: string | undefined;
  readonly phones?: string | undefined;
}

type Handlers = Partial<Record<'message' | 'shipment' | 'phone', (data: unknown) => void>>;

/** Calls back for what changes, as it does (`GET /v1/live`). With nothing to watch it asks for nothing. */
export function useLive({ messages = '', shipments = '', phones = '' }: Watched, handlers: Handlers): void {
  const current = useRef(handlers);
  useEffect(() => {
    current.current = handlers;
  });
  useEffect(() => {
    const wanted = Object.entries({ messages, shipments, phones }).filter(([, value]) => value !== '');
    if (wanted.length === 0) return;
    const source = new EventSource(forAccount(`/v1/live?${new URLSearchParams(wanted)}`));
    for (const type of ['message', 'shipment', 'phone'] as const) {
      source.addEventListener(type, (event) => current.current[type]?.(JSON.parse(event.data)));
    }
    // It connects again of its own accord. Every stream ends after a time: whether the service is gone is asked.
    source.addEventListener('error', () => void client.GET('/v1/session').catch(() => {}));
    return () => source.close();
  }, [messages, shipments, phones]);
}
