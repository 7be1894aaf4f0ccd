import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Failure, FailureKey, Message } from '../../api/message-types.ts';
import { Card } from '../../components/card.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useFailureTexts } from '../../features/messages/channels.ts';
import { searchMessages } from '../../features/messages/search.ts';
import type { FirstTexts } from '../../i18n/en.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

const READ = 100;
const SHOWN = 5;
const REFETCH_MS = 15_000;
const HOUR = 3_600_000;

/** Pages that resolve a failure; other failures link to the message. */
const places: Partial<Readonly<Record<FailureKey, { href: string; label: (texts: FirstTexts) => string }>>> =
  {
    'no-credit': { href: '/wallet', label: ({ wallet }) => wallet.title },
    suspended: { href: '/wallet', label: ({ wallet }) => wallet.title },
    blacklisted: { href: '/blacklist', label: ({ shell }) => shell.blacklist },
    declined: { href: '/contacts', label: ({ shell }) => shell.contacts },
    'bad-number': { href: '/contacts', label: ({ shell }) => shell.contacts },
    'no-such-number': { href: '/contacts', label: ({ shell }) => shell.contacts },
    composed: { href: '/contacts', label: ({ shell }) => shell.contacts },
    'bad-mailbox': { href: '/mailing-lists', label: ({ shell }) => shell.pages.mailingLists },
    'no-more-mails': { href: '/mailing-lists', label: ({ shell }) => shell.pages.mailingLists },
    'bad-source': { href: '/sources', label: ({ shell }) => shell.senders },
    template: { href: '/templates', label: ({ shell }) => shell.pages.chatTemplates },
    variables: { href: '/templates', label: ({ shell }) => shell.pages.chatTemplates },
    'window-closed': { href: '/send?channel=chat', label: ({ shell }) => shell.pages.send },
  };

/** Why messages failed lately, the most frequent reason first, each with what to do and where. */
export function RecentFailures() {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const from = new Date(Math.floor(Date.now() / HOUR) * HOUR - 23 * HOUR).toISOString();
  const query = useQuery({
    queryKey: ['messages', 'failed', from],
    queryFn: () => searchMessages({ state: 'failed', from, limit: READ }),
    refetchInterval: REFETCH_MS,
  });
  const more = query.data?.next != null;
  return (
    <Card
      title={t.failures}
      lead={more ? t.failuresOfLast(READ.toLocaleString(language)) : t.failuresHint}
      actions={
        <TextLink href="/messages?state=failed" size="sm">
          {t.allFailures}
        </TextLink>
      }
    >
      <Fetched query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Muted>{t.noFailures}</Muted>
          ) : (
            <ul className="plain-list reasons">
              {byReason(rows).map(([failure, some]) => (
                <Reason key={failure.key} failure={failure} messages={some} />
              ))}
            </ul>
          )
        }
      </Fetched>
    </Card>
  );
}

/** The reasons with their messages, the most frequent first. */
function byReason(rows: readonly Message[]): [Failure, readonly Message[]][] {
  const failed = rows.filter((row) => row.failure !== null);
  return [...Map.groupBy(failed, ({ failure }) => failure!.key).values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, SHOWN)
    .map((some) => [some[0]!.failure!, some]);
}

function Reason({ failure, messages }: { readonly failure: Failure; readonly messages: readonly Message[] }) {
  const texts = useTexts();
  const language = useLanguage();
  const { overview: t } = texts;
  const { why, todo } = useFailureTexts()(failure);
  const place = places[failure.key];
  const latest = messages[0]!;
  return (
    <li>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Badge color="red" variant="light" miw="max-content">
          {messages.length.toLocaleString(language)}
        </Badge>
        <div>
          <Text size="sm" fw={600}>
            {why}
          </Text>
          <Muted size="sm">{todo}</Muted>
          <Group gap="xs">
            {place && (
              <TextLink href={place.href} size="sm">
                {t.goTo(place.label(texts))}
              </TextLink>
            )}
            <Muted size="xs">
              {t.latest}{' '}
              <TextLink href={`/messages/${latest.id}`} inherit>
                <Phone number={latest.phone} />
              </TextLink>
              , <Time at={latest.accepted_at} />
            </Muted>
          </Group>
        </div>
      </Group>
    </li>
  );
}
