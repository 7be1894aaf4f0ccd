import { Group, Stack } from '@mantine/core';
import { MessageCircle, Pencil, Send } from 'lucide-react';
import { useParams } from 'wouter';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Facts } from '../../components/facts.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Phone, StatusBadge } from '../../components/values.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ContactForm } from './contact-form.tsx';
import { ConsentsOf, ConversationsWith, MessagesTo } from './person-history.tsx';

/** Recipients that a search for one of them returns. */
const FOUND = 5;

type Holding = Answer<'/v1/contacts'>['lists'][number];

/**
 * A person by number or address: the number and the addresses that belong together, their lists with the fields, their consents
 * and conversations, and every message to them. A user of mailing lists whose phone is the number is the same person, and so is an
 * address in the fields of a contact.
 */
export default function Recipient() {
  const t = useContactTexts();
  const { recipient: encoded } = useParams<{ recipient: string }>();
  const recipient = decodeURIComponent(encoded);
  const isAddress = recipient.includes('@');
  const maySend = useMay('sender');
  const { person, isKnown } = usePerson(recipient);
  const phone = isAddress ? (person?.phone ?? '') : recipient;
  const holding = useAnswer('/v1/contacts', { query: { phone } }, { enabled: phone !== '', retry: false });
  const lists = holding.data?.lists ?? [];
  const addresses = [...new Set([...(isAddress ? [recipient] : []), ...(person?.addresses ?? [])])];
  const isInLists = person?.phone === phone;
  const isOnBlacklist = useOnBlacklist(phone, isKnown && !isInLists);
  const isBlocked = isInLists ? person.blocked : isOnBlacklist;
  const name = person?.name || undefined;
  const recipients = [...(phone === '' ? [] : [phone]), ...addresses];
  return (
    <Page
      title={name ?? recipient}
      back="/recipients"
      lead={
        (name !== undefined || isBlocked) && (
          <>
            {name !== undefined && <bdi dir="ltr">{recipient}</bdi>}{' '}
            {isBlocked && <StatusBadge tone="warning">{t.onBlacklist}</StatusBadge>}
          </>
        )
      }
      actions={maySend && phone !== '' && <SendTo phone={phone} />}
    >
      <Card title={t.inLists}>
        {lists.length === 0 && addresses.length === 0 && <Muted>{t.inNoList}</Muted>}
        <Stack gap="lg">
          {lists.map((list) => (
            <InList key={list.id} list={list} phone={phone} />
          ))}
          {addresses.map((address) => (
            <MailUser key={address} address={address} />
          ))}
        </Stack>
      </Card>
      <ConsentsOf recipients={recipients} />
      <ConversationsWith recipients={recipients} />
      <HiddenNote kind="message-text" />
      <MessagesTo recipients={recipients} />
    </Page>
  );
}

/** Buttons that open the composer for a number. */
function SendTo({ phone }: { readonly phone: string }) {
  const t = useContactTexts();
  const to = encodeURIComponent(phone);
  return (
    <>
      <Action icon={MessageCircle} variant="default" href={`/send?channel=chat&to=${to}`}>
        {t.sendTemplate}
      </Action>
      <Action icon={Send} mirrored href={`/send?to=${to}`}>
        {t.sendSms}
      </Action>
    </>
  );
}

/** Digits at the end of a number in which its spellings agree. */
const LAST_DIGITS = 9;
const keyOf = (recipient: string) =>
  recipient.includes('@') ? recipient.toLowerCase() : recipient.replaceAll(/\D/g, '').slice(-LAST_DIGITS);

/** Whether two texts are the same number or address. */
const isSame = (one: string, other: string): boolean => one !== '' && keyOf(one) === keyOf(other);

/** The person with a number or address in the lists of the account: undefined while it loads, and for somebody in no list. */
function usePerson(recipient: string) {
  const query = { search: recipient, limit: FOUND };
  const { data, isFetched: isKnown } = useAnswer('/v1/recipients', { query }, { retry: false });
  const person = data?.recipients.find(({ phone, addresses }) =>
    [phone ?? '', ...addresses].some((one) => isSame(one, recipient)),
  );
  return { person, isKnown };
}

/** Whether a number of somebody in no list is on the blacklist. */
function useOnBlacklist(phone: string, isAsked: boolean): boolean {
  const { data } = useAnswer(
    '/v1/blacklist',
    { query: { phone, limit: 1 } },
    { enabled: isAsked && phone !== '', retry: false },
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

/** Mailing lists of an address with its fields and status; nothing for an address without lists. */
function MailUser({ address }: { readonly address: string }) {
  const { mailLists } = useTexts();
  const user = useAnswer('/v1/mail/users', { query: { email: address } }, { retry: false }).data?.users[0];
  if (!user) return null;
  const { first_name, last_name, cellphone, fields, status, lists } = user;
  const named: (readonly [string, React.ReactNode])[] = [
    [
      mailLists.email,
      <bdi key="email" dir="ltr">
        {address}
      </bdi>,
    ],
    [mailLists.firstName, <bdi key="first">{first_name || '–'}</bdi>],
    [mailLists.lastName, <bdi key="last">{last_name || '–'}</bdi>],
    ...(cellphone === '' ? [] : [[mailLists.cellphone, <Phone key="phone" number={cellphone} />] as const]),
    ...Object.entries(fields).map(([name, value]) => [name, <bdi key={name}>{String(value)}</bdi>] as const),
    [mailLists.state, mailLists.states[status]],
  ];
  return (
    <section aria-label={address}>
      <Group gap="md">
        {lists.map(({ id, name }) => (
          <TextLink key={id} href={`/mailing-lists/${id}?search=${encodeURIComponent(address)}`} fw={600}>
            <bdi>{name}</bdi>
          </TextLink>
        ))}
      </Group>
      <Facts rows={named} />
    </section>
  );
}
