import { Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Mails, Search } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { isOneOf, useFilters } from '../../components/filters.tsx';
import { Empty } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { UserActions } from './user-actions.tsx';
import { type MailList, type MailUser, stateOf, toneOf } from './user-states.ts';

const ROWS = 25;
const PAUSE_MS = 250;
const kinds = ['all', 'active', 'unsubscribed', 'wrong', 'deleted'] as const;

/** The users of a list: the search by what an address begins with, and how each of them stands. */
export function Users({ list }: { readonly list: MailList }) {
  const { mailLists: t } = useTexts();
  const { role } = useSession();
  const filters = useFilters(['search', 'kind']);
  const { search } = filters.values;
  const kind = isOneOf(kinds, filters.values.kind) ? filters.values.kind : 'all';
  const { id } = list;
  const pages = usePages(['mail-users', id, search, kind], async (after) => {
    const { data } = await client.GET('/v1/mail/lists/{id}/users', {
      params: { path: { id }, query: { search, kind, limit: ROWS, ...(after !== undefined && { after }) } },
    });
    return { rows: data!.users, next: data!.next };
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4">
          {t.users}
        </Title>
        <Group gap="sm">
          <Select
            aria-label={t.kind}
            data={kinds.map((value) => ({ value, label: t.kinds[value] }))}
            value={kind}
            onChange={(value) => filters.set('kind', value === 'all' ? '' : (value ?? ''))}
            allowDeselect={false}
            w={{ base: '100%', xs: 190 }}
          />
          <AddressSearch value={search} onSearch={(text) => filters.set('search', text)} />
        </Group>
      </Group>
      <DataTable
        caption={t.users}
        pages={pages}
        rowKey={(user) => user.id}
        columns={[
          { key: 'user', title: t.user, width: '45%', cell: (user) => <Person user={user} /> },
          {
            key: 'fields',
            title: t.fields,
            wideOnly: true,
            cell: ({ cellphone, fields }) => (
              <Text size="sm" c="dimmed" lineClamp={2}>
                <bdi>{[cellphone, ...Object.values(fields)].filter(Boolean).join(' · ') || '–'}</bdi>
              </Text>
            ),
          },
          { key: 'state', title: t.state, cell: (user) => <State user={user} /> },
          ...(atLeast(role, 'sender')
            ? [
                {
                  key: 'actions',
                  title: t.actions,
                  hiddenTitle: true,
                  align: 'end' as const,
                  width: 60,
                  cell: (user: MailUser) => <UserActions list={list} user={user} />,
                },
              ]
            : []),
        ]}
        empty={
          filters.any ? (
            <Empty icon={Mails} title={t.noMatch}>
              {t.noMatchHint}
            </Empty>
          ) : (
            <Empty icon={Mails} title={t.noUsers}>
              {t.noUsersHint}
            </Empty>
          )
        }
      />
    </Stack>
  );
}

function Person({ user: { email, first_name, last_name } }: { readonly user: MailUser }) {
  const name = `${first_name} ${last_name}`.trim();
  return (
    <>
      <Text size="sm" fw={500} className="address">
        <bdi dir="ltr">{email}</bdi>
      </Text>
      {name !== '' && (
        <Text size="xs" c="dimmed">
          <bdi>{name}</bdi>
        </Text>
      )}
    </>
  );
}

/** The state of a user, what brought him there, and when. */
function State({ user }: { readonly user: MailUser }) {
  const { mailLists: t } = useTexts();
  const { status_by, status_reason, status_at } = user;
  const state = stateOf(user);
  return (
    <>
      <StatusBadge tone={toneOf[state]}>{t.states[state]}</StatusBadge>
      {status_by !== '' && (
        <Text size="xs" c="dimmed">
          {t.causes[status_by] ?? status_by}
          {status_at !== null && (
            <>
              {' · '}
              <Time at={status_at} />
            </>
          )}
        </Text>
      )}
      {status_reason !== '' && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          <bdi dir="ltr">{status_reason}</bdi>
        </Text>
      )}
    </>
  );
}

function AddressSearch({
  value,
  onSearch,
}: {
  readonly value: string;
  readonly onSearch: (text: string) => void;
}) {
  const { mailLists: t } = useTexts();
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), PAUSE_MS);
  return (
    <TextInput
      type="search"
      aria-label={t.search}
      placeholder={t.searchHint}
      dir="ltr"
      inputMode="email"
      leftSection={<Search size={16} aria-hidden />}
      w={{ base: '100%', xs: 240 }}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
