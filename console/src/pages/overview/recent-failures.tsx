import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card } from '../../components/card.tsx';
import { Fetched } from '../../components/states.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { searchMessages } from '../messages/search.ts';

const SHOWN = 5;
const REFETCH_MS = 15_000;
const HOUR = 3_600_000;

/** The latest messages that failed, each with why. */
export function RecentFailures() {
  const { overview: t, failures } = useTexts();
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
        <Anchor component={Link} href="/messages?state=failed" size="sm">
          {t.allFailures}
        </Anchor>
      }
    >
      <Fetched query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noFailures}
            </Text>
          ) : (
            <ul className="plain-list">
              {rows.map(({ id, phone, failure, accepted_at }) => (
                <li key={id}>
                  <Group justify="space-between" gap="xs">
                    <Anchor component={Link} href={`/messages/${id}`} size="sm" fw={600}>
                      <Phone number={phone} />
                    </Anchor>
                    <Text size="xs" c="dimmed">
                      <Time at={accepted_at} />
                    </Text>
                  </Group>
                  {failure && (
                    <Text size="sm" c="dimmed">
                      {failures.words[failure.key].why}
                    </Text>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </Card>
  );
}
