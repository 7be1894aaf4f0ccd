import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  Building2,
  LayoutTemplate,
  MailOpen,
  Mails,
  Megaphone,
  MessageSquareText,
  Users,
} from 'lucide-react';
import { atLeast, type PersonRole } from '../../../../server/api/access/roles.ts';
import { byId, client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { useSession } from '../../api/session-context.ts';
import type { Dictionary } from '../../i18n/en.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { Command } from './commands.ts';

/** Maximum results of each kind for a part of a name. */
const MAX_NAMED = 10;
/** Maximum length of a search in names. */
const MAX_SEARCH = 100;
const MAX_MESSAGES = 5;
const MAX_ACCOUNTS = 5;
const DEADLINE_MS = 4_000;

type Found = readonly Command[];

/** Results of the service for the typed text. `incomplete`: a part of the searches did not answer in time. */
interface Lookups {
  readonly found: Found;
  readonly searching: boolean;
  readonly incomplete: boolean;
}

/** Looks what is typed up in the account: messages, campaigns, contacts, templates, and for operators accounts. */
export function useLookups(typed: string, opened: boolean): Lookups {
  const texts = useTexts();
  const { role, account } = useSession();
  const isOperator = atLeast(role, 'operator');
  const mayRead = account !== null && atLeast(role, 'viewer');
  const query = useQuery({
    queryKey: ['search', account?.id, typed],
    queryFn: ({ signal }) => {
      const options = withDeadline(signal);
      return settled([
        ...(mayRead ? [...exactLookups(typed, options, texts), ...namedThings(typed, options, role)] : []),
        ...(isOperator ? [accountsOf(typed, options)] : []),
      ]);
    },
    enabled: opened && typed !== '',
    placeholderData: keepPreviousData,
  });
  const all = typed === '' ? [] : (query.data?.found ?? []);
  return {
    // A search by the whole name and one by a part of it can both find a campaign.
    found: [...new Map(all.map((command) => [command.key, command])).values()],
    searching: typed !== '' && query.isFetching,
    incomplete: query.data?.incomplete === true,
  };
}

interface Options {
  readonly signal: AbortSignal;
}

const withDeadline = (signal: AbortSignal): Options => ({
  signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
});

/** Merges the successful lookups; failed ones add no results. */
async function settled(lookups: readonly Promise<Found>[]): Promise<{ found: Found; incomplete: boolean }> {
  const results = await Promise.allSettled(lookups);
  return {
    found: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    incomplete: results.some(
      (result) =>
        result.status === 'rejected' &&
        !(result.reason instanceof CarillonError && (result.reason.httpStatus ?? 500) < 500),
    ),
  };
}

/** Objects whose name contains the typed text. */
function namedThings(typed: string, options: Options, role: PersonRole): Promise<Found>[] {
  if (typed.length > MAX_SEARCH) return [];
  const query = { search: typed, limit: MAX_NAMED };
  return [
    client.GET('/v1/campaigns', { ...options, query }).then((data) => data.campaigns.map(campaign)),
    client.GET('/v1/contact-lists', { ...options, query }).then((data) =>
      data.contact_lists.map(
        ({ id, name }): Command => ({
          key: `list ${id}`,
          kind: 'contacts',
          title: name,
          icon: Users,
          href: `/contacts/${id}`,
        }),
      ),
    ),
    client.GET('/v1/mail/lists', { ...options, query }).then((data) =>
      data.lists.map(
        ({ id, name }): Command => ({
          key: `mail-list ${id}`,
          kind: 'contacts',
          title: name,
          icon: Mails,
          href: `/mailing-lists/${id}`,
        }),
      ),
    ),
    client.GET('/v1/chat/templates', { ...options, query }).then((data) =>
      data.templates.map(
        ({ template_id: id, name }): Command => ({
          key: `template ${id}`,
          kind: 'templates',
          title: name,
          icon: LayoutTemplate,
          href: `/templates/${encodeURIComponent(id)}`,
        }),
      ),
    ),
    client.GET('/v1/mail/templates', { ...options, query: { search: typed } }).then((data) =>
      data.templates.map(
        ({ id, name, subject }): Command => ({
          key: `mail-template ${id}`,
          kind: 'templates',
          title: name,
          note: subject,
          icon: MailOpen,
          href: atLeast(role, 'sender') ? `/mail-templates/${id}` : '/mail-templates',
        }),
      ),
    ),
  ];
}

/** Exact matches of the typed text: numbers, addresses, ids, and names of campaigns that are not among the latest. */
function exactLookups(typed: string, options: Options, { shell, messages }: Dictionary): Promise<Found>[] {
  const isPhone = /^[+\d][\d\s()-]{6,}$/.test(typed);
  const isAddress = /^\S+@\S+$/.test(typed);
  const isId = /^\d{10,16}$/.test(typed);
  const message =
    (title: (row: { phone: string }) => string) =>
    ({ id, ...row }: { id: string; phone: string; state: keyof typeof messages.states }): Command => ({
      key: `message ${id}`,
      kind: 'messages',
      title: title(row),
      note: messages.states[row.state],
      icon: MessageSquareText,
      href: `/messages/${id}`,
    });
  const search = async (by: { phone: string } | { id: string } | { external_id: string }): Promise<Found> => {
    const query = { ...by, limit: MAX_MESSAGES };
    const data = await client.GET('/v1/messages', { ...options, query: query as never });
    return data.messages.map(message(({ phone }) => messages.one.title(phone)));
  };
  return [
    ...(isPhone || isAddress ? [search({ phone: typed }), allMessagesTo(typed, shell)] : []),
    ...(isPhone ? [listsOf(typed, options, shell)] : []),
    ...(isId
      ? [
          search({ id: typed }),
          client.GET('/v1/campaigns/{id}', { ...options, ...byId(typed) }).then((data) => [campaign(data)]),
        ]
      : []),
    ...(/^\S{3,}$/.test(typed) && !isAddress ? [search({ external_id: typed })] : []),
    ...(typed.length <= 50
      ? [
          client
            .GET('/v1/campaigns', { ...options, query: { name: typed, limit: MAX_MESSAGES } })
            .then((data) => data.campaigns.map(campaign)),
        ]
      : []),
  ];
}

const campaign = (row: { readonly id: string; readonly campaign_name: string | null }): Command => ({
  key: `campaign ${row.id}`,
  kind: 'campaigns',
  title: row.campaign_name ?? row.id,
  icon: Megaphone,
  href: `/campaigns/${row.id}`,
});

const allMessagesTo = async (phone: string, { command: t }: Dictionary['shell']): Promise<Found> => [
  {
    key: 'messages to',
    kind: 'messages',
    title: t.messagesTo(phone),
    icon: MessageSquareText,
    href: `/messages?q=${encodeURIComponent(phone)}`,
  },
];

async function listsOf(phone: string, options: Options, { command: t }: Dictionary['shell']): Promise<Found> {
  const data = await client.GET('/v1/contacts', { ...options, query: { phone } });
  return data.lists.map(({ id, name }) => ({
    key: `contact ${id}`,
    kind: 'contacts',
    title: t.contact(phone, name),
    icon: Users,
    href: `/contacts/${id}?phone=${encodeURIComponent(phone)}`,
  }));
}

async function accountsOf(search: string, options: Options): Promise<Found> {
  const query = { search, limit: MAX_ACCOUNTS };
  const data = await client.GET('/v1/operator/accounts', { ...options, query });
  return data.accounts.map(({ id, name, username }) => ({
    key: `account ${id}`,
    kind: 'accounts',
    title: name,
    note: username,
    icon: Building2,
    href: `/operator/accounts/${id}`,
  }));
}
