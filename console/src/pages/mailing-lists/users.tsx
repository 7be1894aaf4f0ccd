import { Group, Select } from '@mantine/core';
import { Mails } from 'lucide-react';
import { useList } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { DataTable } from '../../components/data-table.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Section, TextLink } from '../../components/text.tsx';
import { isOneOf, useFilters } from '../../components/use-filters.ts';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { UserActions } from './user-actions.tsx';
import { type MailList, type MailUser, stateOf, toneOf } from './user-states.ts';

const ROWS = 25;
const kinds = ['all', 'active', 'unsubscribed', 'wrong', 'deleted'] as const;

/** The recipients of a list, searched by the beginning of the address, with their states. */
export function Users({ list }: { readonly list: MailList }) {
  const { mailLists: t } = useTexts();
  const mayChange = useMay('sender');
  const filters = useFilters(['search', 'kind']);
  const { search } = filters.values;
  const kind = isOneOf(kinds, filters.values.kind) ? filters.values.kind : 'all';
  const { id } = list;
  const pages = useList('/v1/mail/lists/{id}/users', ({ users }) => users, {
    path: { id },
    query: { search, kind, limit: ROWS },
  });
  return (
    <Section
      title={t.users}
      actions={
        <Group gap="sm">
          <Select
            aria-label={t.kind}
            data={kinds.map((value) => ({ value, label: t.kinds[value] }))}
            value={kind}
            onChange={(value) => filters.set('kind', value === 'all' ? '' : (value ?? ''))}
            allowDeselect={false}
            w={{ base: '100%', xs: 190 }}
          />
          <SearchField
            label={t.search}
            placeholder={t.searchHint}
            dir="ltr"
            inputMode="email"
            w={{ base: '100%', xs: 240 }}
            value={search}
            onSearch={(text) => filters.set('search', text)}
          />
        </Group>
      }
    >
      <DataTable
        caption={t.users}
        pages={pages}
        rowKey={(user) => user.id}
        columns={[
          { title: t.user, width: '45%', cell: (user) => <Person user={user} /> },
          {
            title: t.fields,
            wideOnly: true,
            cell: ({ cellphone, fields }) => (
              <Muted lineClamp={2}>
                <bdi>{[cellphone, ...Object.values(fields)].filter(Boolean).join(' · ') || '–'}</bdi>
              </Muted>
            ),
          },
          { title: t.state, cell: (user) => <State user={user} /> },
          mayChange && {
            title: t.actions,
            hiddenTitle: true,
            align: 'end',
            width: 60,
            cell: (user) => <UserActions list={list} user={user} />,
          },
        ]}
        empty={<Empty filters={filters} icon={Mails} title={t.noUsers} hint={t.noUsersHint} />}
      />
    </Section>
  );
}

function Person({ user: { email, first_name, last_name } }: { readonly user: MailUser }) {
  const name = `${first_name} ${last_name}`.trim();
  return (
    <>
      <TextLink href={`/recipients/${encodeURIComponent(email)}`} size="sm" fw={500} className="address">
        <bdi dir="ltr">{email}</bdi>
      </TextLink>
      {name !== '' && (
        <Muted size="xs">
          <bdi>{name}</bdi>
        </Muted>
      )}
    </>
  );
}

/** The state of a recipient, what caused it, and when. */
function State({ user }: { readonly user: MailUser }) {
  const { mailLists: t } = useTexts();
  const { status_by, status_reason, status_at } = user;
  const state = stateOf(user);
  return (
    <>
      <StatusBadge tone={toneOf[state]}>{t.states[state]}</StatusBadge>
      {status_by !== '' && (
        <Muted size="xs">
          {t.causes[status_by] ?? status_by}
          {status_at !== null && (
            <>
              {' · '}
              <Time at={status_at} />
            </>
          )}
        </Muted>
      )}
      {status_reason !== '' && (
        <Muted size="xs" lineClamp={2}>
          <bdi dir="ltr">{status_reason}</bdi>
        </Muted>
      )}
    </>
  );
}
