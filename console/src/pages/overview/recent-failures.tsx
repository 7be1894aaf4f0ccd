import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/card.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useFailureTexts } from '../../features/messages/channels.ts';
import { searchMessages } from '../../features/messages/search.ts';
import { useTexts } from '../../i18n/texts.tsx';

const SHOWN = 5;
const REFETCH_MS = 15_000;
const HOUR = 3_600_000;

/** The latest messages that failed, each with why. */
export function RecentFailures() {
  const { overview: t } = useTexts();
  const textsOf = useFailureTexts();
  const from = new Date(Math.floor(Date.now() / HOUR) * HOUR - 23 * HOUR).toISOString();
  const query = useQuery({
    queryKey: ['messages', 'failed', from],
    queryFn: () => searchMessages({ state: 'failed', from, limit: SHOWN }),
    refetchInterval: REFETCH_MS,
  });
  return (
    <Card
      title={t.failures}
      lead={t.failuresHint}
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
            <ul className="plain-list">
              {rows.map(({ id, phone, failure, accepted_at }) => (
                <li key={id}>
                  <Group justify="space-between" gap="xs">
                    <TextLink href={`/messages/${id}`} size="sm" fw={600}>
                      <Phone number={phone} />
                    </TextLink>
                    <Muted size="xs">
                      <Time at={accepted_at} />
                    </Muted>
                  </Group>
                  {failure && <Muted>{textsOf(failure).why}</Muted>}
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </Card>
  );
}
