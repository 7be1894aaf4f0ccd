import { Text } from '@mantine/core';
import { MessageCircle, Pencil, Plus, Send, Trash2, Upload, UserMinus, Users } from 'lucide-react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Download } from '../../components/download.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { numberSearch, SearchField } from '../../components/search-field.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Section, TextLink } from '../../components/text.tsx';
import { Count, Phone } from '../../components/values.tsx';
import { RecentImports } from '../../features/imports/recent-imports.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ContactForm } from './contact-form.tsx';
import { ListForm } from './contact-list-form.tsx';

const ROWS = 25;

type List = Answer<'/v1/contact-lists/{id}'>;
type Contact = Answer<'/v1/contact-lists/{id}/contacts'>['contacts'][number];

/** One contact list. */
export default function OneList() {
  const t = useContactTexts();
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/contact-lists/{id}', byId(id));
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={list.name}
          back="/contacts"
          lead={
            <>
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
  const t = useContactTexts();
  const { common } = useTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const { open, ask } = useDialogs();
  const mayChange = useMay('sender');
  const rename = async (body: { name: string; columns: string[] }) => {
    await client.PATCH('/v1/contact-lists/{id}', { ...byId(list.id), body });
    await done(t.changed, '/v1/contact-lists/{id}', '/v1/contact-lists');
  };
  const remove = () =>
    ask({
      title: t.deleteTitle(list.name),
      text: t.deleteText,
      action: t.deleteAction,
      keep: common.keeps.list,
      run: async () => {
        await client.DELETE('/v1/contact-lists/{id}', byId(list.id));
        await done(t.deleted, '/v1/contact-lists');
        navigate('/contacts');
      },
    });
  return (
    <>
      <Download path={`/v1/contact-lists/${list.id}/export`}>{t.export}</Download>
      {mayChange && (
        <>
          <Action
            icon={Plus}
            variant="default"
            onClick={() => open(t.addContact, <ContactForm list={list} />)}
          >
            {t.addContact}
          </Action>
          <Action icon={Upload} variant="default" href={`/contacts/${list.id}/import`}>
            {t.import}
          </Action>
          <Action icon={Send} mirrored href={`/send?list=${list.id}`}>
            {t.sendToList}
          </Action>
          <ActionMenu
            label={t.more}
            framed
            entries={[
              {
                icon: MessageCircle,
                label: t.sendTemplate,
                href: `/send?channel=chat&list=${list.id}`,
              },
              {
                icon: Pencil,
                label: t.change,
                onClick: () => open(t.change, <ListForm list={list} action={common.save} save={rename} />),
              },
              { icon: Trash2, label: common.delete, danger: true, onClick: remove },
            ]}
          />
        </>
      )}
    </>
  );
}

function Contacts({ list }: { readonly list: List }) {
  const t = useContactTexts();
  const { shell } = useTexts();
  const mayChange = useMay('sender');
  const [search, setSearch] = useSearchParams();
  const phone = search.get('phone') ?? '';
  const { id } = list;
  const pages = useList('/v1/contact-lists/{id}/contacts', ({ contacts }) => contacts, {
    path: { id },
    query: { phone, limit: ROWS },
  });
  // A contact may have more fields than have names.
  const width = Math.max(list.columns.length, pages.rows?.[0]?.fields.length ?? 0);
  const columns = Array.from({ length: width }, (_, index) => list.columns[index] ?? '');
  return (
    <Section
      title={shell.contacts}
      actions={
        <SearchField
          {...numberSearch}
          label={t.search}
          placeholder={t.searchHint}
          value={phone}
          onSearch={(digits) => setSearch(digits === '' ? {} : { phone: digits }, { replace: true })}
        />
      }
    >
      <DataTable
        caption={shell.contacts}
        pages={pages}
        rowKey={(contact) => contact.phone}
        columns={[
          {
            title: t.phone,
            cell: (contact) => (
              <TextLink href={`/recipients/${contact.phone}`}>
                <Phone number={contact.phone} />
              </TextLink>
            ),
          },
          ...columns.map((name, index) => ({
            key: `field ${index}`,
            title: name || t.field(index + 1),
            wideOnly: index > 0,
            cell: (contact: { fields: readonly (string | null)[] }) => (
              <Text size="sm" lineClamp={2}>
                <bdi>{contact.fields[index] ?? '–'}</bdi>
              </Text>
            ),
          })),
          mayChange && {
            title: t.more,
            hiddenTitle: true,
            align: 'end',
            width: 60,
            cell: (contact) => <ContactActions list={list} contact={contact} />,
          },
        ]}
        empty={
          <Empty filters={{ any: phone !== '' }} icon={Users} title={t.noContacts} hint={t.noContactsHint} />
        }
      />
    </Section>
  );
}

/** Actions of a contact: edit, send a message, remove from the list. */
function ContactActions({ list, contact }: { readonly list: List; readonly contact: Contact }) {
  const t = useContactTexts();
  const { common } = useTexts();
  const done = useDone();
  const { open, ask } = useDialogs();
  const { phone } = contact;
  const takeOut = () =>
    ask({
      title: t.takeOutTitle,
      action: t.takeOut,
      keep: common.keeps.contact,
      run: async () => {
        await client.POST('/v1/contact-lists/{id}/contacts/remove', {
          ...byId(list.id),
          body: { phones: [phone] },
        });
        await done(t.takenOut, '/v1/contact-lists/{id}/contacts', '/v1/contact-lists/{id}');
      },
      text: (
        <>
          <Phone number={phone} />
          <br />
          {t.takeOutText}
        </>
      ),
    });
  return (
    <ActionMenu
      label={t.actions(phone)}
      entries={[
        {
          icon: Pencil,
          label: t.changeContact,
          onClick: () => open(t.changeContact, <ContactForm list={list} contact={contact} />),
        },
        { icon: Send, mirrored: true, label: t.sendToContact, href: `/send?to=${encodeURIComponent(phone)}` },
        { icon: UserMinus, label: t.takeOut, danger: true, onClick: takeOut },
      ]}
    />
  );
}
