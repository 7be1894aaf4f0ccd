import { Drawer, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Figure, Muted } from '../../components/text.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { bodyText } from './bodies.ts';
import { type Delivery, useEventName } from './webhook.tsx';

/** The request of a delivery and what its last attempt came to. */
export function DeliveryDetails({
  delivery,
  onClose,
  onReplay,
}: {
  readonly delivery: Delivery | undefined;
  readonly onClose: () => void;
  /** Absent for those who may not. */
  readonly onReplay?: (delivery: Delivery) => Promise<void>;
}) {
  const { webhooks: t } = useTexts();
  const eventName = useEventName();
  const [busy, setBusy] = useState(false);
  return (
    <Drawer
      opened={delivery !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={delivery && eventName(delivery.type)}
    >
      {delivery && (
        <Stack>
          <SimpleGrid cols={2} spacing="sm">
            <Figure size="sm" label={t.state}>
              {t.states[delivery.state]}
            </Figure>
            <Figure size="sm" label={t.attempts}>
              <Count value={delivery.attempts} />
            </Figure>
            <Figure size="sm" label={t.happened}>
              <Time at={delivery.happened_at} to="second" />
            </Figure>
            <Figure size="sm" label={t.lastAttempt}>
              <Time at={delivery.answer.at} to="second" />
            </Figure>
            {delivery.state === 'retrying' && (
              <>
                <Figure size="sm" label={t.nextAttempt}>
                  <Time at={delivery.next_at} to="second" />
                </Figure>
                <Figure size="sm" label={t.giveUp}>
                  <Time at={delivery.give_up_at} />
                </Figure>
              </>
            )}
          </SimpleGrid>
          <HiddenNote kind="webhook-url" />
          <HiddenNote kind="delivery-content" />
          <Title order={3} size="h5">
            {t.request}
          </Title>
          <Text size="sm">
            <bdi dir="ltr" className="break-anywhere">
              POST {delivery.request.url}
            </bdi>
          </Text>
          <CodeBlock code={bodyText(delivery.request)} label={t.request} />
          <Title order={3} size="h5">
            {t.lastAnswer}
          </Title>
          <Text size="sm">
            <bdi dir="ltr">
              {delivery.answer.http_status !== null && `HTTP ${delivery.answer.http_status} · `}
              {delivery.answer.error}
            </bdi>
          </Text>
          {delivery.answer.body ? (
            <CodeBlock code={delivery.answer.body} label={t.lastAnswer} />
          ) : (
            <Muted>{delivery.answer.http_status === null ? t.noAnswer : t.emptyAnswer}</Muted>
          )}
          {onReplay && delivery.state !== 'retrying' && (
            <Group>
              <Action
                icon={RotateCcw}
                mirrored
                loading={busy}
                onClick={() => {
                  setBusy(true);
                  void onReplay(delivery).finally(() => setBusy(false));
                }}
              >
                {t.replay}
              </Action>
            </Group>
          )}
        </Stack>
      )}
    </Drawer>
  );
}
