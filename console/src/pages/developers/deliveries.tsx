import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { useFilters } from '../../components/filters.tsx';
import { Empty, errorText } from '../../components/states.tsx';
import { Count, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { ReplayMany } from './replay-many.tsx';
import { type Delivery, deliveriesKey, useEventName, type Webhook } from './webhook.tsx';

type State = Delivery['state'];

const ROWS = 25;
const REFRESH_MS = 5_000;
const tones: Readonly<Record<State, Tone>> = { retrying: 'busy', failed: 'bad', done: 'good' };

/** What an address did not take at the first attempt. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const texts = useTexts();
  const { webhooks: t, filters: words } = texts;
  const { role } = useSession();
  const eventName = useEventName();
  const queryClient = useQueryClient();
  const filters = useFilters(['state']);
  const { state } = filters.values;
  const [looked, setLooked] = useState<Delivery>();
  const [replaying, setReplaying] = useState(false);
  const maySend = atLeast(role, 'sender') && webhook.state === 'active';
  const pages = usePages(
    [...deliveriesKey, webhook.id, state],
    async (after) => {
      const { data } = await client.GET('/v1/webhook-deliveries', {
        params: {
          query: {
            limit: ROWS,
            endpoint: webhook.id,
            ...(state !== '' && { state: state as State }),
            ...(after !== undefined && { after }),
          },
        },
      });
      return { rows: data!.deliveries, next: data!.next };
    },
    REFRESH_MS,
  );
  async function replay(delivery: Delivery) {
    try {
      await client.POST('/v1/webhook-deliveries/{id}/replay', { params: { path: { id: delivery.id } } });
      notifications.show({ message: t.replayed, color: 'teal' });
      setLooked(undefined);
    } catch (error) {
      notifications.show({ message: errorText(error, texts), color: 'red' });
    }
    await queryClient.invalidateQueries({ queryKey: deliveriesKey });
  }
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2} size="h4">
            {t.deliveries}
          </Title>
          <Text size="sm" c="dimmed" maw={620}>
            {t.deliveriesHint}
          </Text>
        </div>
        <Group gap="sm" align="flex-end">
          <NativeSelect
            aria-label={t.deliveryState}
            value={state}
            onChange={(event) => filters.set('state', event.currentTarget.value)}
            data={[
              { value: '', label: words.all },
              ...Object.entries(t.states).map(([value, label]) => ({ value, label })),
            ]}
          />
          {maySend && (
            <Button
              variant="default"
              leftSection={<RotateCcw size={16} className="mirrored" />}
              onClick={() => setReplaying(true)}
            >
              {t.replayAll}
            </Button>
          )}
        </Group>
      </Group>
      <DataTable
        caption={t.deliveries}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'event',
            title: t.event,
            cell: (row) => (
              <>
                <Text size="sm" fw={600}>
                  {eventName(row.type)}
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  <Time at={row.happened_at} to="second" />
                </Text>
              </>
            ),
          },
          {
            key: 'state',
            title: t.state,
            cell: (row) => <StatusBadge tone={tones[row.state]}>{t.states[row.state]}</StatusBadge>,
          },
          {
            key: 'attempts',
            title: t.attempts,
            align: 'end',
            cell: (row) => <Count value={row.attempts} />,
            wideOnly: true,
          },
          {
            key: 'answer',
            title: t.answer,
            cell: (row) => (
              <Text size="sm" span lineClamp={1} className="break-anywhere">
                <bdi dir="ltr">{row.answer.http_status ?? row.answer.error ?? t.noAnswer}</bdi>
              </Text>
            ),
            wideOnly: true,
          },
          {
            key: 'details',
            title: '',
            align: 'end',
            cell: (row) => (
              <Button
                size="xs"
                variant="subtle"
                aria-label={`${t.show}: ${eventName(row.type)} ${row.event_id}`}
                onClick={() => setLooked(row)}
              >
                {t.show}
              </Button>
            ),
          },
        ]}
        empty={
          state === '' ? (
            <Empty icon={CircleCheck} title={t.noDeliveries}>
              {t.noDeliveriesHint}
            </Empty>
          ) : (
            <Empty title={words.nothing} />
          )
        }
      />
      <DeliveryDetails
        delivery={looked}
        onClose={() => setLooked(undefined)}
        {...(maySend && { onReplay: replay })}
      />
      <ReplayMany webhook={webhook} opened={replaying} onClose={() => setReplaying(false)} />
    </Stack>
  );
}
