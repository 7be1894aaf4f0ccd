import { Alert, Anchor, Button, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, FlaskConical, Power, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { Deliveries } from './deliveries.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { useEventName, type Webhook, WebhookState, WebhookUrl, webhookKey, webhooksKey } from './webhook.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

const REFRESH_MS = 5_000;

/** One address that hears of events: how it does, its secret, a test, and what it did not take. */
export default function OneWebhook() {
  const { id } = useParams<{ id: string }>();
  const query = api.useQuery(
    'get',
    '/v1/webhooks/{id}',
    { params: { path: { id } } },
    { refetchInterval: REFRESH_MS },
  );
  return <Fetched query={query}>{(webhook) => <Shown webhook={webhook} />}</Fetched>;
}

function Shown({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: t } = useTexts();
  const { role } = useSession();
  const eventName = useEventName();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState<'test' | 'remove'>();
  const mayChange = atLeast(role, 'owner');
  const path = { params: { path: { id: webhook.id } } };
  const enable = api.useMutation('post', '/v1/webhooks/{id}/enable', {
    onSuccess: async () => {
      notifications.show({ message: t.enabled, color: 'teal' });
      await queryClient.invalidateQueries({ queryKey: webhookKey });
      await queryClient.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  const failure: unknown = enable.error;
  const events = webhook.types === null ? t.allEvents : webhook.types.map(eventName).join(', ');
  return (
    <>
      <Anchor component={Link} href="/webhooks" size="sm">
        <Group gap={6} mb="xs">
          <ArrowLeft size={15} className="mirrored" aria-hidden /> {t.title}
        </Group>
      </Anchor>
      <Page
        // Isolated, so that it reads from left to right in both languages.
        title={`\u2066${webhook.url}\u2069`}
        lead={
          <Group gap="xs" component="span">
            <WebhookState webhook={webhook} />
            {t.kinds[webhook.kind]}
            {webhook.kind === 'webhook' && ` · ${events}`}
          </Group>
        }
        actions={
          mayChange && (
            <>
              <Button
                variant="default"
                leftSection={<FlaskConical size={16} />}
                onClick={() => setOpened('test')}
              >
                {t.test}
              </Button>
              <Button
                variant="light"
                color="red"
                leftSection={<Trash2 size={16} />}
                onClick={() => setOpened('remove')}
              >
                {t.remove}
              </Button>
            </>
          )
        }
      >
        <HiddenNote kind="webhook-url" />
        {webhook.state === 'off' && (
          <Alert color="red" icon={<Power />} title={t.off}>
            <Text size="sm">
              {t.offReason}: <bdi>{webhook.off_reason}</bdi> · <Time at={webhook.off_at} />
            </Text>
            {mayChange && (
              <Button
                mt="sm"
                size="xs"
                loading={enable.isPending}
                leftSection={<Power size={15} />}
                onClick={() => enable.mutate(path)}
              >
                {t.enable}
              </Button>
            )}
          </Alert>
        )}
        {failure !== null && <ErrorNote error={failure} />}
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
          <Figure label={t.delivered}>
            <Count value={webhook.delivered} />
          </Figure>
          <Figure label={t.failed}>
            <Count value={webhook.failed} />
          </Figure>
          <Figure label={t.lastSuccess} small>
            <Time at={webhook.last_success_at} />
          </Figure>
          <Figure label={webhook.failing_since === null ? t.lastFailure : t.failingSince} small>
            <Time at={webhook.failing_since ?? webhook.last_failure_at} />
          </Figure>
        </SimpleGrid>
        {webhook.kind === 'webhook' && mayChange && <WebhookSecret id={webhook.id} />}
        <Deliveries webhook={webhook} />
      </Page>
      <TestWebhook webhook={webhook} opened={opened === 'test'} onClose={() => setOpened(undefined)} />
      <Confirm
        opened={opened === 'remove'}
        onClose={() => setOpened(undefined)}
        title={t.removeTitle}
        action={t.remove}
        danger
        onConfirm={async () => {
          await client.DELETE('/v1/webhooks/{id}', path);
          notifications.show({ message: t.removed });
          await queryClient.invalidateQueries({ queryKey: webhooksKey });
          navigate('/webhooks');
        }}
      >
        <WebhookUrl url={webhook.url} />
        <Text size="sm" mt="xs">
          {t.removeText}
        </Text>
      </Confirm>
    </>
  );
}

function Figure({
  label,
  small = false,
  children,
}: {
  readonly label: string;
  readonly small?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder p="md">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={650} size={small ? 'sm' : 'xl'} component="div" mt={2}>
        {children}
      </Text>
    </Paper>
  );
}
