import { Text } from '@mantine/core';
import type { paths } from '../../api/schema.ts';
import { StatusBadge } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

/** An address that hears of events, as the service shows it. */
export type Webhook =
  paths['/v1/webhooks']['get']['responses'][200]['content']['application/json']['webhooks'][number];

/** What an address did not take at the first attempt. */
export type Delivery =
  paths['/v1/webhook-deliveries']['get']['responses'][200]['content']['application/json']['deliveries'][number];

export const webhooksKey = ['get', '/v1/webhooks'] as const;
export const webhookKey = ['get', '/v1/webhooks/{id}'] as const;
export const deliveriesKey = ['get', '/v1/webhook-deliveries'] as const;

/** Whether it hears, hears and does not take, or is switched off. */
export function WebhookState({ webhook }: { readonly webhook: Pick<Webhook, 'state' | 'failing_since'> }) {
  const { webhooks: t } = useTexts();
  if (webhook.state === 'off') return <StatusBadge tone="bad">{t.off}</StatusBadge>;
  if (webhook.failing_since !== null) return <StatusBadge tone="warning">{t.failing}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}

/** An address, broken where it is too long. */
export function WebhookUrl({ url }: { readonly url: string }) {
  return (
    <Text span inherit className="break-anywhere">
      <bdi dir="ltr">{url}</bdi>
    </Text>
  );
}

/** What an event is called. */
export function useEventName(): (type: string) => string {
  const { webhooks: t } = useTexts();
  const names: Readonly<Record<string, string>> = t.eventNames;
  return (type) => names[type] ?? type;
}
