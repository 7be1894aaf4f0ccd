import { Group, Text } from '@mantine/core';
import { Upload, Users } from 'lucide-react';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Phone, StatusBadge } from '../../components/values.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';

const ROWS = 50;
/** Lists that a row names. */
const LISTS_SHOWN = 3;

type Recipient = Answer<'/v1/recipients'>['recipients'][number];

/** Everyone in contact lists and mailing lists, each person once. */
export default function Recipients() {
  const t = useContactTexts();
  const mayImport = useMay('sender');
  const filters = useFilters(['search']);
  const { search } = filters.values;
  const pages = useList('/v1/recipients', ({ recipients }) => recipients, { query: { search, limit: ROWS } });
  const importFile = mayImport && (
    <Action icon={Upload} href="/recipients/import">
      {t.import}
    </Action>
  );
  return (
    <Page lead={t.recipientsLead} actions={importFile}>
      <SearchField
        label={t.searchRecipients}
        placeholder={t.searchRecipientsHint}
        w={{ base: '100%', xs: 320 }}
        value={search}
        onSearch={(text) => filters.set('search', text)}
      />
      <DataTable
        pages={pages}
        rowKey={keyOf}
        columns={[
          { title: t.recipient, onPhone: 'title', cell: (recipient) => <Person recipient={recipient} /> },
          {
            title: t.addresses,
            cell: ({ addresses }) => (
              <Muted lineClamp={1}>
                <bdi dir="ltr">{addresses.join(', ') || '–'}</bdi>
              </Muted>
            ),
          },
          { title: t.inLists, cell: (recipient) => <Lists recipient={recipient} /> },
          {
            title: t.state,
            hiddenTitle: true,
            align: 'end',
            onPhone: 'end',
            cell: ({ blocked }) => blocked && <StatusBadge tone="warning">{t.onBlacklist}</StatusBadge>,
          },
        ]}
        empty={
          <Empty
            filters={{ any: search !== '' }}
            icon={Users}
            title={t.noRecipients}
            hint={t.noRecipientsHint}
            action={importFile}
          />
        }
      />
    </Page>
  );
}

const keyOf = ({ phone, addresses }: Recipient): string => phone ?? addresses[0] ?? '';

function Person({ recipient }: { readonly recipient: Recipient }) {
  const { phone, name, fields } = recipient;
  const about = name || fields.join(' · ');
  const key = keyOf(recipient);
  return (
    <>
      <TextLink href={`/recipients/${encodeURIComponent(key)}`} fw={500} className="address">
        {phone === null ? <bdi dir="ltr">{key}</bdi> : <Phone number={phone} />}
      </TextLink>
      {about !== '' && (
        <Muted size="xs" lineClamp={1}>
          <bdi>{about}</bdi>
        </Muted>
      )}
    </>
  );
}

function Lists({
  recipient: { contact_lists: contactLists, mailing_lists: mailLists },
}: {
  recipient: Recipient;
}) {
  const links = [
    ...contactLists.map(({ id, name }) => ({ href: `/contacts/${id}`, name })),
    ...mailLists.map(({ id, name }) => ({ href: `/mailing-lists/${id}`, name })),
  ];
  const more = links.length - LISTS_SHOWN;
  return (
    <Group gap="xs">
      {links.slice(0, LISTS_SHOWN).map(({ href, name }) => (
        <TextLink key={href} href={href} size="sm">
          <bdi>{name}</bdi>
        </TextLink>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          +{more}
        </Text>
      )}
    </Group>
  );
}
