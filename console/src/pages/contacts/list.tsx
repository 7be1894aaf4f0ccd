import { ActionIcon, Anchor, Button, Group, Menu, Stack, Text, Title, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Pencil, Plus, Trash2, Upload, UserMinus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { Download } from '../../components/download.tsx';
import { NumberSearch } from '../../components/number-search.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Count, Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { AddContact } from './add-contact.tsx';
import { RenameList } from './list-form.tsx';
import { RecentImports } from './recent-imports.tsx';

const ROWS = 25;

interface List {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly count: number;
}

/** One contact list. */
export default function OneList() {
  const { contacts: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const query = api.useQuery('get', '/v1/contact-lists/{id}', { params: { path: { id } } });
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={list.name}
          lead={
            <>
              <Anchor component={Link} href="/contacts" underline="always">
                {t.backToLists}
              </Anchor>
              {' · '}
              <Count value={list.count} /> {t.numbersOf(list.count)}
            </>
          }
          actions={<Actions list={list} />}
        >
          <Contacts list={list} />
          <RecentImports listId={list.id} />
        </Page>
      )}
    </Fetched>
  );
}

function Actions({ list }: { readonly list: List }) {
  const { contacts: t, common } = useTexts();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const mayChange = atLeast(role, 'sender');
  return (
    <>
      <Download path={`/v1/contact-lists/${list.id}/export`}>{t.export}</Download>
      {mayChange && (
        <>
          <Button
            variant="default"
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t.addContact}
          </Button>
          <Button
            component={Link}
            href={`/contacts/${list.id}/import`}
            leftSection={<Upload size={16} aria-hidden />}
          >
            {t.import}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size="input-sm" aria-label={t.more}>
                <EllipsisVertical size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setRenaming(true)}>
                {t.change}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Trash2 size={16} aria-hidden />}
                onClick={() => setDeleting(true)}
              >
                {common.delete}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <AddContact list={list} opened={adding} onClose={() => setAdding(false)} />
          <RenameList list={list} opened={renaming} onClose={() => setRenaming(false)} />
          <Confirm
            opened={deleting}
            onClose={() => setDeleting(false)}
            title={t.deleteTitle(list.name)}
            action={t.deleteAction}
            danger
            onConfirm={async () => {
              await client.DELETE('/v1/contact-lists/{id}', { params: { path: { id: list.id } } });
              notifications.show({ message: t.deleted });
              await queryClient.invalidateQueries({ queryKey: ['contact-lists'] });
              navigate('/contacts');
            }}
          >
            {t.deleteText}
          </Confirm>
        </>
      )}
    </>
  );
}

function Contacts({ list }: { readonly list: List }) {
  const { contacts: t } = useTexts();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const phone = search.get('phone') ?? '';
  const [leaving, setLeaving] = useState<string>();
  const { id } = list;
  const pages = usePages(['contacts', id, phone], async (after) => {
    const { data } = await client.GET('/v1/contact-lists/{id}/contacts', {
      params: { path: { id }, query: { phone, limit: ROWS, ...(after !== undefined && { after }) } },
    });
    return { rows: data!.contacts, next: data!.next };
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t.title}
        </Title>
        <NumberSearch
          label={t.search}
          hint={t.searchHint}
          value={phone}
          onSearch={(digits) => setSearch(digits === '' ? {} : { phone: digits }, { replace: true })}
        />
      </Group>
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(contact) => contact.phone}
        columns={[
          { key: 'phone', title: t.phone, cell: (contact) => <Phone number={contact.phone} /> },
          ...list.columns.map((name, index) => ({
            key: `field ${index}`,
            title: name || t.field(index + 1),
            wideOnly: index > 0,
            cell: (contact: { fields: readonly (string | null)[] }) => (
              <Text size="sm" lineClamp={2}>
                <bdi>{contact.fields[index] ?? '–'}</bdi>
              </Text>
            ),
          })),
          ...(atLeast(role, 'sender')
            ? [
                {
                  key: 'take-out',
                  title: t.takeOut,
                  hiddenTitle: true,
                  align: 'end' as const,
                  width: 60,
                  cell: (contact: { phone: string }) => (
                    <Tooltip label={t.takeOut}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`${t.takeOut}: ${contact.phone}`}
                        onClick={() => setLeaving(contact.phone)}
                      >
                        <UserMinus size={16} aria-hidden />
                      </ActionIcon>
                    </Tooltip>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          phone === '' ? (
            <Empty icon={Users} title={t.noContacts}>
              {t.noContactsHint}
            </Empty>
          ) : (
            <Empty icon={Users} title={t.noMatch}>
              {t.noMatchHint}
            </Empty>
          )
        }
      />
      <Confirm
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t.takeOutTitle}
        action={t.takeOut}
        danger
        onConfirm={async () => {
          await client.POST('/v1/contact-lists/{id}/contacts/remove', {
            params: { path: { id } },
            body: { phones: [leaving!] },
          });
          notifications.show({ message: t.takenOut });
          await queryClient.invalidateQueries({ queryKey: ['contacts', id] });
          await queryClient.invalidateQueries({ queryKey: ['get', '/v1/contact-lists/{id}'] });
        }}
      >
        <Phone number={leaving ?? ''} />
        <br />
        {t.takeOutText}
      </Confirm>
    </Stack>
  );
}
