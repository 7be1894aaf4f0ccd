import { Anchor, Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Building2, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { NothingFound } from '../../components/filters.tsx';
import { useSubmission } from '../../components/form.ts';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { AccountState, accountsKey } from './account.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountFields, fieldNames, settingsOf } from './account-settings.tsx';

const ROWS = 50;

/** Every account of the service. */
export default function Accounts() {
  const { accounts: t } = useTexts().operator;
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState(false);
  const [search] = useDebouncedValue(typed.trim(), 250);
  const pages = usePages([...accountsKey, search], async (after) => {
    const { data } = await client.GET('/v1/operator/accounts', {
      params: { query: { limit: ROWS, search, ...(after !== undefined && { after }) } },
    });
    return { rows: data!.accounts, next: data!.next };
  });
  const add = (
    <Button leftSection={<Plus size={17} />} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={add}>
      <TextInput
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        leftSection={<Search size={16} />}
        maw={340}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            title: t.name,
            cell: (row) => (
              <>
                <Anchor component={Link} href={`/operator/accounts/${row.id}`} fw={600} size="sm">
                  <bdi>{row.name}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed">
                  <bdi dir="ltr">{row.username}</bdi>
                  {row.parent !== null && (
                    <>
                      {' · '}
                      {t.parent} <bdi dir="ltr">{row.parent}</bdi>
                    </>
                  )}
                </Text>
              </>
            ),
          },
          { key: 'state', title: t.state, cell: (row) => <AccountState account={row} />, wideOnly: true },
          {
            key: 'since',
            title: t.since,
            cell: (row) => <Time at={row.created_at} to="date" />,
            wideOnly: true,
          },
          { key: 'balance', title: t.balance, align: 'end', cell: (row) => <Amount value={row.balance} /> },
          {
            key: 'actions',
            title: '',
            align: 'end',
            width: 56,
            cell: (row) => <AccountActions account={row} />,
          },
        ]}
        empty={
          <NothingFound filters={{ any: search !== '' }}>
            <Empty icon={Building2} title={t.none} action={add}>
              {t.noneHint}
            </Empty>
          </NothingFound>
        }
      />
      <AddAccount opened={adding} onClose={() => setAdding(false)} />
    </Page>
  );
}

function AddAccount({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { operator, common } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={operator.accounts.add}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <AddForm />
    </Modal>
  );
}

function AddForm() {
  const { accounts: t } = useTexts().operator;
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const form = useForm({
    initialValues: { username: '', name: '', time_zone: '', addresses: '', password_sign_in: false },
  });
  const { onSubmit, busy, error } = useSubmission(
    form,
    async ({ username, ...settings }) => {
      const { data } = await client.POST('/v1/operator/accounts', {
        body: { username, ...settingsOf(settings) },
      });
      notifications.show({ message: t.added(data!.name), color: 'teal' });
      await queryClient.invalidateQueries({ queryKey: accountsKey });
      navigate(`/operator/accounts/${data!.id}`);
    },
    fieldNames,
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.username}
          description={t.usernameHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="ltr"
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('username')}
        />
        <AccountFields form={form} />
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.addSubmit}
        </Button>
      </Stack>
    </form>
  );
}
