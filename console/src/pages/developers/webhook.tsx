import type { Answer, RequestBody } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../components/values.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

/** An address that hears of events, as the service shows it. */
export type Webhook = Answer<'/v1/webhooks'>['webhooks'][number];

/** Event that the endpoint did not accept at the first attempt. */
export type Delivery = Answer<'/v1/webhook-deliveries'>['deliveries'][number];

/** An event that an address was to have, and its outcome. */
export type WebhookEvent = Answer<'/v1/webhooks/{id}/events'>['events'][number];

export const eventTones: Readonly<Record<WebhookEvent['state'], Tone>> = {
  waiting: 'busy',
  delivered: 'good',
  retrying: 'busy',
  failed: 'bad',
  done: 'good',
};

/** An attempt that was recorded. */
export type Attempt = WebhookEvent['recorded_attempts'][number];

/** The event of a delivery, as the events of an address are shown. */
export function eventOf(delivery: Delivery): WebhookEvent {
  const { event_id, type, happened_at, state, request, recorded_attempts } = delivery;
  return { event_id, type, happened_at, state, request, recorded_attempts, delivery };
}

/** A kind of event. */
export type EventType = NonNullable<RequestBody<'/v1/webhooks'>['types']>[number];

export const WEBHOOKS = '/v1/webhooks';
export const WEBHOOK = '/v1/webhooks/{id}';
export const EVENTS = '/v1/webhooks/{id}/events';
export const DELIVERIES = '/v1/webhook-deliveries';

/** State of an endpoint: active, failing, or disabled. */
export function WebhookState({ webhook }: { readonly webhook: Pick<Webhook, 'state' | 'failing_since'> }) {
  const t = useWebhookTexts();
  if (webhook.state === 'off') return <StatusBadge tone="bad">{t.off}</StatusBadge>;
  if (webhook.failing_since !== null) return <StatusBadge tone="warning">{t.failing}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}

/** Display name of an event type. */
export function useEventName(): (type: string) => string {
  const t = useWebhookTexts();
  const names: Readonly<Record<string, string>> = t.eventNames;
  return (type) => names[type] ?? type;
}
