import { Group, Stack, Text } from '@mantine/core';
import { MessageCircle, MessagesSquare, Pencil, Send } from 'lucide-react';
import { useParams } from 'wouter';
import type { Answer } from '../../api/operations.ts';
import { usePages } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Facts } from '../../components/facts.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Section, TextLink } from '../../components/text.tsx';
import { useOpened } from '../../components/use-opened.ts';
import { Phone, StatusBadge } from '../../components/values.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';
import { useMessageColumns } from '../../features/messages/columns.tsx';
import { MessagePanel } from '../../features/messages/message-panel.tsx';
import { searchMessages } from '../../features/messages/search.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ContactForm } from './contact-form.tsx';

const ROWS = 25;
const REFETCH_MS = 10_000;
/** Addresses among the fields of a number, at most. */
const MAX_ADDRESSES = 3;
const addressPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

type Holding = Answer<'/v1/contacts'>['lists'][number];

/**
 * A recipient by number or address: their lists with the fields, and every message to them. Includes the number of an email
 * recipient, and the addresses in the fields of a contact.
 */
export default function Recipient() {
  const t = useContactTexts();
  const { recipient: encoded } = useParams<{ recipient: string }>();
  const recipient = decodeURIComponent(encoded);
  const isAddress = recipient.includes('@');
  const maySend = useMay('sender');
  const cellphone = useMailUser(isAddress ? recipient : '')?.cellphone ?? '';
  const phone = isAddress ? cellphone : recipient;
  const holding = useAnswer('/v1/contacts', { query: { phone } }, { enabled: phone !== '', retry: false });
  // The number of an email recipient is free text and may not be a phone number.
  const isPhone = phone !== '' && !(isAddress && holding.isError);
  const lists = holding.data?.lists ?? [];
  const addresses = isAddress ? [recipient] : addressesOf(lists);
  const isBlocked = useBlocked(isAddress ? '' : recipient);
  return (
    <Page
      title={recipient}
      back="/contacts"
      lead={isBlocked && <StatusBadge tone="warning">{t.onBlacklist}</StatusBadge>}
      actions={
        maySend &&
        isPhone && (
          <>
            <Action
              icon={MessageCircle}
              variant="default"
              href={`/send?channel=chat&to=${encodeURIComponent(phone)}`}
            >
              {t.sendTemplate}
            </Action>
            <Action icon={Send} mirrored href={`/send?to=${encodeURIComponent(phone)}`}>
              {t.sendSms}
            </Action>
          </>
        )
      }
    >
      {isPhone && (
        <Card title={t.inLists}>
          {lists.length === 0 ? (
            <Muted>{t.inNoList}</Muted>
          ) : (
            <Stack gap="lg">
              {lists.map((list) => (
                <InList key={list.id} list={list} phone={phone} />
              ))}
            </Stack>
          )}
        </Card>
      )}
      {addresses.map((address) => (
        <MailUser key={address} address={address} />
      ))}
      <HiddenNote kind="message-text" />
      {isPhone && <MessagesTo recipient={phone} title={t.messagesTo} />}
      {addresses.map((address) => (
        <MessagesTo key={address} recipient={address} title={t.mailsTo} />
      ))}
    </Page>
  );
}

/** Distinct email addresses among the fields of a number. */
function addressesOf(lists: readonly Holding[]): readonly string[] {
  const found = lists.flatMap(({ fields }) => fields).map((value) => value?.trim() ?? '');
  return [...new Set(found.filter((value) => addressPattern.test(value)))].slice(0, MAX_ADDRESSES);
}

/** Email recipient with this address; undefined when none exists, or while it loads. */
function useMailUser(email: string) {
  const { data } = useAnswer('/v1/mail/users', { query: { email } }, { enabled: email !== '', retry: false });
  return data?.users[0];
}

/** Whether a number is on the blacklist. */
function useBlocked(phone: string): boolean {
  const { data } = useAnswer(
    '/v1/blacklist',
    { query: { phone, limit: 1 } },
    { enabled: phone !== '', retry: false },
  );
  return (data?.numbers.length ?? 0) > 0;
}

/** A list that a number is in, with its fields there. */
function InList({ list, phone }: { readonly list: Holding; readonly phone: string }) {
  const t = useContactTexts();
  const { open } = useDialogs();
  const mayChange = useMay('sender');
  const names = list.fields.map((_, index) => list.columns[index] || t.field(index + 1));
  const rows = list.fields.map((value, index) => {
    const name = names[index]!;
    // Two fields may have one name.
    const isFirst = names.indexOf(name) === index;
    return [isFirst ? name : `${name} (${index + 1})`, <bdi key={name}>{value ?? '–'}</bdi>] as const;
  });
  return (
    <section aria-label={list.name}>
      <Group justify="space-between">
        <TextLink href={`/contacts/${list.id}?phone=${encodeURIComponent(phone)}`} fw={600}>
          <bdi>{list.name}</bdi>
        </TextLink>
        {mayChange && (
          <Action
            icon={Pencil}
            size="xs"
            variant="default"
            onClick={() =>
              open(t.changeContact, <ContactForm list={list} contact={{ phone, fields: list.fields }} />)
            }
          >
            {t.changeContact}
          </Action>
        )}
      </Group>
      {rows.length > 0 && <Facts rows={rows} />}
    </section>
  );
}

/** Facts about an email recipient; nothing for an address that is in no mailing list. */
function MailUser({ address }: { readonly address: string }) {
  const t = useContactTexts();
  const { mailLists } = useTexts();
  const user = useMailUser(address);
  if (!user) return null;
  const { first_name, last_name, cellphone, fields, status, lists } = user;
  const named: (readonly [string, React.ReactNode])[] = [
    [mailLists.firstName, <bdi key="first">{first_name || '–'}</bdi>],
    [mailLists.lastName, <bdi key="last">{last_name || '–'}</bdi>],
    ...(cellphone === '' ? [] : [[mailLists.cellphone, <Phone key="phone" number={cellphone} />] as const]),
    ...Object.entries(fields).map(([name, value]) => [name, <bdi key={name}>{String(value)}</bdi>] as const),
    [mailLists.state, mailLists.states[status]],
  ];
  return (
    <Card
      title={t.mailUser}
      actions={
        <Group gap="xs">
          {lists.map(({ id }) => (
            <TextLink key={id} href={`/mailing-lists/${id}?search=${encodeURIComponent(address)}`} size="sm">
              {mailLists.openList}
            </TextLink>
          ))}
        </Group>
      }
    >
      <Text size="sm" fw={600}>
        <bdi dir="ltr">{address}</bdi>
      </Text>
      <Facts rows={named} />
    </Card>
  );
}

/** Every message to a number or an address, the newest first. */
function MessagesTo({ recipient, title }: { readonly recipient: string; readonly title: string }) {
  const t = useContactTexts();
  const query = { phone: recipient, limit: ROWS };
  const pages = usePages(['messages', query], (after) => searchMessages(query, after), REFETCH_MS);
  const heading = `${title} ${recipient}`;
  const opened = useOpened(pages.rows, ({ id }) => id);
  return (
    <Section title={heading}>
      <DataTable
        caption={heading}
        pages={pages}
        rowKey={(row) => row.id}
        opened={opened.key}
        columns={useMessageColumns({ open: opened.open, toOne: true })}
        empty={<Empty icon={MessagesSquare} title={t.nothingSent} hint={t.nothingSentHint} />}
      />
      {/* The page has a list for each address, and the message is in one of them. */}
      {opened.row && <MessagePanel opened={opened} />}
    </Section>
  );
}
