import { ActionIcon, Button, Group, Modal, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Tags, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { FilterBar, NothingFound, useFilters } from '../../components/filters.tsx';
import { useSubmission } from '../../components/form.ts';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Amount } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { Channel } from '../messages/types.ts';
import { AccountSelect } from './account-select.tsx';

type Answer = paths['/v1/operator/prices']['get']['responses'][200]['content']['application/json'];
type Price = Answer['prices'][number];

const pricesKey = ['get', '/v1/operator/prices'] as const;
const EVERYONE = 'everyone';
const ROWS = 100;

/** What a message costs, by channel, prefix and account. */
export default function Prices() {
  const { operator, filters: words } = useTexts();
  const { prices: t } = operator;
  const queryClient = useQueryClient();
  const filters = useFilters(['account', 'channel']);
  const { account, channel } = filters.values;
  const [defaults, setDefaults] = useState<Readonly<Record<string, string>>>({});
  const [editing, setEditing] = useState<Partial<Price>>();
  const [removing, setRemoving] = useState<Price>();
  const pages = usePages([...pricesKey, account, channel], async (after) => {
    const { data } = await client.GET('/v1/operator/prices', {
      params: {
        query: {
          limit: ROWS,
          ...(account !== '' && { account }),
          ...(channel !== '' && { channel: channel as Channel }),
          ...(after !== undefined && { after }),
        },
      },
    });
    setDefaults(data!.defaults as Record<string, string>);
    return { rows: data!.prices, next: data!.next };
  });
  const nameOf = (row: Price) =>
    `${row.username ?? t.everyone}, ${t.channelsShort[row.channel as Channel]}, ${row.prefix || t.everyNumber}`;
  const set = (
    <Button leftSection={<Plus size={17} />} onClick={() => setEditing({})}>
      {t.set}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={set}>
      <Group gap="sm" align="stretch">
        {Object.entries(defaults).map(([name, price]) => (
          <Paper withBorder p="sm" key={name}>
            <Text size="sm">{t.channels[name as Channel]}</Text>
            <Text size="xs" c="dimmed">
              {t.defaults}
            </Text>
            <Text fw={650} size="lg">
              <Amount value={price} />
            </Text>
          </Paper>
        ))}
      </Group>
      <FilterBar filters={filters}>
        <AccountSelect
          label={t.account}
          value={account || null}
          onChange={(value) => filters.set('account', value ?? '')}
          first={[{ value: EVERYONE, label: t.everyone }]}
          clearable
          w={220}
        />
        <NativeSelect
          label={t.channel}
          value={channel}
          onChange={(event) => filters.set('channel', event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            ...Object.entries(t.channelsShort).map(([value, label]) => ({ value, label })),
          ]}
        />
      </FilterBar>
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => `${row.account_id}-${row.channel}-${row.prefix}`}
        columns={[
          {
            key: 'account',
            title: t.account,
            cell: (row) => (row.username === null ? t.everyone : <bdi dir="ltr">{row.username}</bdi>),
          },
          {
            key: 'channel',
            title: t.channel,
            cell: (row) => t.channelsShort[row.channel as Channel] ?? row.channel,
          },
          {
            key: 'prefix',
            title: t.prefix,
            cell: (row) =>
              row.prefix === '' ? t.everyNumber : <bdi dir="ltr" className="figures">{`+${row.prefix}`}</bdi>,
          },
          { key: 'price', title: t.price, align: 'end', cell: (row) => <Amount value={row.price} /> },
          {
            key: 'actions',
            title: '',
            align: 'end',
            cell: (row) => (
              <Group gap={2} justify="flex-end" wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.change(nameOf(row))}
                  onClick={() => setEditing(row)}
                >
                  <Pencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t.remove(nameOf(row))}
                  onClick={() => setRemoving(row)}
                >
                  <Trash2 size={16} />
                </ActionIcon>
              </Group>
            ),
          },
        ]}
        empty={
          <NothingFound filters={filters}>
            <Empty icon={Tags} title={t.none} action={set}>
              {t.noneHint}
            </Empty>
          </NothingFound>
        }
      />
      <SetPrice price={editing} onClose={() => setEditing(undefined)} />
      <Confirm
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t.removeTitle}
        action={t.removeSubmit}
        danger
        onConfirm={async () => {
          const { account_id, channel: of, prefix } = removing!;
          await client.POST('/v1/operator/prices/remove', {
            body: { account_id, channel: of as Channel, prefix },
          });
          notifications.show({ message: t.removed });
          await queryClient.invalidateQueries({ queryKey: pricesKey });
        }}
      >
        {removing && (
          <Text size="sm" fw={600} mb={4}>
            {nameOf(removing)}
          </Text>
        )}
        {t.removeText}
      </Confirm>
    </Page>
  );
}

function SetPrice({
  price,
  onClose,
}: {
  readonly price: Partial<Price> | undefined;
  readonly onClose: () => void;
}) {
  const { operator, common } = useTexts();
  return (
    <Modal
      opened={price !== undefined}
      onClose={onClose}
      title={operator.prices.set}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {price && <PriceForm price={price} onDone={onClose} />}
    </Modal>
  );
}

function PriceForm({ price, onDone }: { readonly price: Partial<Price>; readonly onDone: () => void }) {
  const { prices: t } = useTexts().operator;
  const queryClient = useQueryClient();
  // A price that is there already is known by all but its amount.
  const fixed = price.channel !== undefined;
  const form = useForm({
    initialValues: {
      account_id: price.account_id ?? EVERYONE,
      channel: (price.channel ?? 'sms') as Channel,
      prefix: price.prefix ?? '',
      price: price.price ?? '',
    },
  });
  const { onSubmit, busy, error } = useSubmission(form, async (values) => {
    await client.POST('/v1/operator/prices', {
      body: {
        account_id: values.account_id === EVERYONE ? null : values.account_id,
        channel: values.channel,
        prefix: values.prefix.replace(/^\+/, '').trim(),
        price: values.price.trim(),
      },
    });
    notifications.show({ message: t.setDone, color: 'teal' });
    await queryClient.invalidateQueries({ queryKey: pricesKey });
    onDone();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <AccountSelect
          label={t.account}
          first={[{ value: EVERYONE, label: t.everyone }]}
          allowDeselect={false}
          disabled={fixed}
          {...form.getInputProps('account_id')}
        />
        <NativeSelect
          label={t.channel}
          disabled={fixed}
          data={Object.entries(t.channels).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('channel')}
        />
        <TextInput
          label={t.prefix}
          description={t.prefixHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="ltr"
          inputMode="tel"
          disabled={fixed}
          {...form.getInputProps('prefix')}
        />
        <TextInput
          label={t.price}
          dir="ltr"
          inputMode="decimal"
          required
          withAsterisk={false}
          {...form.getInputProps('price')}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.setSubmit}
        </Button>
      </Stack>
    </form>
  );
}
