import { Group, Paper, Text } from '@mantine/core';
import { ArrowLeftRight } from 'lucide-react';
import { useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { Ledger } from '../../features/wallet/ledger.tsx';
import { type Subscriber, SubscriberState } from './subscriber.tsx';
import { SubscriberActions } from './subscriber-actions.tsx';
import { useSubscriberTexts } from './texts.ts';
import { TransferForm } from './transfer.tsx';

/** A subscriber: its balance, and the movements of its wallet. */
export default function OneSubscriber() {
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/subscribers/{id}', byId(id));
  return <Fetched query={query}>{(subscriber) => <Shown subscriber={subscriber} />}</Fetched>;
}

function Shown({ subscriber }: { readonly subscriber: Subscriber }) {
  const t = useSubscriberTexts();
  const mayChange = useMay('owner');
  const { open } = useDialogs();
  return (
    <Page
      back="/subscribers"
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
            <Action
              icon={ArrowLeftRight}
              onClick={() => open(t.transferTitle(subscriber.name), <TransferForm subscriber={subscriber} />)}
            >
              {t.transfer}
            </Action>
            <SubscriberActions subscriber={subscriber} />
          </>
        )
      }
    >
      <Paper withBorder p="lg">
        <Muted>{t.balance}</Muted>
        <Text size="1.75rem" fw={650} lh={1.2}>
          <Amount value={subscriber.balance} unit />
        </Text>
      </Paper>
      <Ledger username={subscriber.username} title={t.ledger} />
    </Page>
  );
}
