import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { ArrowLeft, ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { Ledger } from '../wallet/ledger.tsx';
import { SubscriberActions } from './actions.tsx';
import { SubscriberState } from './state.tsx';
import type { Subscriber } from './subscriber.ts';
import { Transfer } from './transfer.tsx';

/** One subscriber: what it has, and the movements of its wallet. */
export default function OneSubscriber() {
  const { id } = useParams<{ id: string }>();
  const query = api.useQuery('get', '/v1/subscribers/{id}', { params: { path: { id } } });
  return <Fetched query={query}>{(subscriber) => <Shown subscriber={subscriber} />}</Fetched>;
}

function Shown({ subscriber }: { readonly subscriber: Subscriber }) {
  const { subscribers: t } = useTexts();
  const { role } = useSession();
  const mayChange = atLeast(role, 'owner');
  const [transferring, setTransferring] = useState(false);
  return (
    <>
      <Anchor component={Link} href="/subscribers" size="sm">
        <Group gap={6} mb="xs">
          <ArrowLeft size={15} className="mirrored" aria-hidden /> {t.title}
        </Group>
      </Anchor>
      <Page
        title={subscriber.name}
        lead={
          <Group gap="xs" component="span">
            <bdi dir="ltr">{subscriber.username}</bdi> · <Time at={subscriber.created_at} to="date" />
            <SubscriberState subscriber={subscriber} />
          </Group>
        }
        actions={
          mayChange && (
            <>
              <Button leftSection={<ArrowLeftRight size={16} />} onClick={() => setTransferring(true)}>
                {t.transfer}
              </Button>
              <SubscriberActions subscriber={subscriber} />
            </>
          )
        }
      >
        <Paper withBorder p="lg">
          <Text c="dimmed" size="sm">
            {t.balance}
          </Text>
          <Text size="1.75rem" fw={650} lh={1.2}>
            <Amount value={subscriber.balance} />
          </Text>
        </Paper>
        <Ledger username={subscriber.username} title={t.ledger} />
        <Transfer subscriber={transferring ? subscriber : undefined} onClose={() => setTransferring(false)} />
      </Page>
    </>
  );
}
