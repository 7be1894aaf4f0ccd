import { ActionIcon, Group, NativeSelect, Paper, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Pencil, Plus, Tags, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Channel } from '../../api/message-types.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { choicesOf } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Amount } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { AccountName, AccountSelect } from './account-select.tsx';
import { useOperatorTexts } from './texts.ts';

type Price = Answer<'/v1/operator/prices'>['prices'][number];

const PRICES = '/v1/operator/prices';
const EVERYONE = 'everyone';
const ROWS = 100;

/** Prices of messages by channel, prefix and account. */
export default function Prices() {
  const { common } = useTexts();
  const { prices: t } = useOperatorTexts();
  const done = useDone();
  const filters = useFilters(['account', 'channel']);
  const { account, channel } = filters.values;
  const [defaults, setDefaults] = useState<Readonly<Record<string, string>>>({});
  const { open, ask } = useDialogs();
  const edit = (price: Partial<Price>) => open(t.set, <PriceForm price={price} />);
  const pages = useList(
    PRICES,
    (answer) => {
      setDefaults(answer.defaults as Record<string, string>);
      return answer.prices;
    },
    { query: { limit: ROWS, account, channel: channel as Channel | '' } },
  );
  const nameOf = (row: Price) =>
    `${row.username ?? t.everyone}, ${t.channelsShort[row.channel as Channel] ?? row.channel}, ${row.prefix || t.everyNumber}`;
  const remove = (price: Price) =>
    ask({
      title: t.removeTitle,
      action: t.removeSubmit,
      keep: common.keeps.price,
      run: async () => {
        const { account_id, channel: of, prefix } = price;
        await client.POST('/v1/operator/prices/remove', {
          body: { account_id, channel: of as Channel, prefix },
        });
        await done(t.removed, PRICES);
      },
      text: (
        <>
          <Text size="sm" fw={600} mb={4}>
            {nameOf(price)}
          </Text>
          {t.removeText}
        </>
      ),
    });
  const set = (
    <Action icon={Plus} onClick={() => edit({})}>
      {t.set}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={set}>
      <Group gap="sm" align="stretch">
        {Object.entries(defaults).map(([name, price]) => (
          <Paper withBorder p="sm" key={name}>
            <Text size="sm">{t.channels[name as Channel] ?? name}</Text>
            <Muted size="xs">{t.defaults}</Muted>
            <Text fw={650} size="lg">
              <Amount value={price} unit />
            </Text>
          </Paper>
        ))}
      </Group>
      <FilterBar
        filters={filters}
        fields={[
          {
            kind: 'own',
            name: 'account',
            label: t.account,
            shown: account === EVERYONE ? t.everyone : <AccountName id={account} />,
            input: (
              <AccountSelect
                label={t.account}
                value={account || null}
                onChange={(value) => filters.set('account', value ?? '')}
                first={[{ value: EVERYONE, label: t.everyone }]}
                clearable
                comboboxProps={{ withinPortal: false }}
              />
            ),
          },
          { kind: 'choice', name: 'channel', label: t.channel, choices: t.channelsShort },
        ]}
      />
      <DataTable
        pages={pages}
        rowKey={(row) => `${row.account_id}-${row.channel}-${row.prefix}`}
        columns={useColumns(nameOf, edit, remove)}
        empty={<Empty filters={filters} icon={Tags} title={t.none} action={set} hint={t.noneHint} />}
      />
    </Page>
  );
}

function useColumns(
  nameOf: (price: Price) => string,
  onChange: (price: Price) => void,
  onRemove: (price: Price) => void,
): Column<Price>[] {
  const { prices: t } = useOperatorTexts();
  return [
    {
      title: t.account,
      cell: (row) => (row.username === null ? t.everyone : <bdi dir="ltr">{row.username}</bdi>),
    },
    { title: t.channel, cell: (row) => t.channelsShort[row.channel as Channel] ?? row.channel },
    {
      title: t.prefix,
      cell: (row) =>
        row.prefix === '' ? t.everyNumber : <bdi dir="ltr" className="figures">{`+${row.prefix}`}</bdi>,
    },
    { title: t.price, align: 'end', cell: (row) => <Amount value={row.price} /> },
    {
      title: t.refundUnanswered,
      cell: (row) => (row.refund_unanswered ? t.refunded : t.notRefunded),
    },
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
            onClick={() => onChange(row)}
          >
            <Pencil size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t.remove(nameOf(row))}
            onClick={() => onRemove(row)}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </Group>
      ),
    },
  ];
}

function PriceForm({ price }: { readonly price: Partial<Price> }) {
  const { prices: t } = useOperatorTexts();
  const done = useDone();
  // Only the amount of an existing price can be edited; the other fields identify it.
  const fixed = price.channel !== undefined;
  const form = useForm({
    initialValues: {
      account_id: price.account_id ?? EVERYONE,
      channel: (price.channel ?? 'sms') as Channel,
      prefix: price.prefix ?? '',
      price: price.price ?? '',
      refund_unanswered: price.refund_unanswered ?? false,
    },
  });
  const submission = useSubmission(form, async (values) => {
    await client.POST('/v1/operator/prices', {
      body: {
        account_id: values.account_id === EVERYONE ? null : values.account_id,
        channel: values.channel,
        prefix: values.prefix.replace(/^\+/, '').trim(),
        price: values.price.trim(),
        refund_unanswered: values.refund_unanswered,
      },
    });
    await done(t.setDone, PRICES);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.setSubmit}>
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
        data={choicesOf(t.channels)}
        {...form.getInputProps('channel')}
      />
      {field.text('prefix', t.prefix, { hint: t.prefixHint, inputMode: 'tel', disabled: fixed })}
      {field.text('price', t.price, { required: true, inputMode: 'decimal' })}
      {field.toggle('refund_unanswered', t.refundUnanswered, t.refundUnansweredHint)}
    </Form>
  );
}
