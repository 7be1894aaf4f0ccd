import type { Endpoint } from './endpoints.ts';
import { type Event, type EventType, pushes } from './types.ts';

/** Whether an endpoint receives events of a type. */
export function wantsType({ kind, types }: Pick<Endpoint, 'kind' | 'types'>, type: EventType): boolean {
  if (kind === 'callback') return false;
  return kind === 'webhook' ? types === null || types.includes(type) : pushes[kind] === type;
}

/** Whether an endpoint receives an event. A status callback belongs to one endpoint. */
export function wantsEvent(endpoint: Pick<Endpoint, 'id' | 'kind' | 'types'>, event: Event): boolean {
  return event.type === 'status.callback'
    ? event.data.endpoint_id === endpoint.id
    : wantsType(endpoint, event.type);
}
