import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { FlaskConical, Pencil, Power, Trash2 } from 'lucide-react';
import { useLocation, useParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { Tile } from '../../components/text.tsx';
import { Address, Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { useEventName, WEBHOOK, WEBHOOKS, type Webhook, WebhookState } from './webhook.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

const REFRESH_MS = 5_000;

/** A webhook endpoint: its state, its secret, a test, and its failed deliveries. */
export default function OneWebhook() {
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/webhooks/{id}', byId(id), { refetchInterval: REFRESH_MS });
  return <Fetched query={query}>{(webhook) => <Shown webhook={webhook} />}</Fetched>;
}

function Shown({ webhook }: { readonly webhook: Webhook }) {
  const t = useWebhookTexts();
  const { common } = useTexts();
  const eventName = useEventName();
  const done = useDone();
  const [, navigate] = useLocation();
  const { open, ask } = useDialogs();
  const mayChange = useMay('owner');
  const events = webhook.types === null ? t.allEvents : webhook.types.map(eventName).join(', ');
  const test = () => open(t.test, <TestWebhook webhook={webhook} />, { size: 'lg' });
  const edit = () => open(t.editTitle, <EditWebhook webhook={webhook} />);
  const remove = () =>
    ask({
      title: t.removeTitle,
      action: t.remove,
      keep: common.keeps.webhook,
      run: async () => {
        await client.DELETE('/v1/webhooks/{id}', byId(webhook.id));
        await done(t.removed, WEBHOOKS);
        navigate('/webhooks');
      },
      text: (
        <>
          <Address url={webhook.url} />
          <Text size="sm" mt="xs">
            {t.removeText}
          </Text>
        </>
      ),
    });
  return (
    <Page
      back="/webhooks"
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
            {webhook.kind !== 'callback' && (
              <>
                <Action icon={FlaskConical} variant="default" onClick={test}>
                  {t.test}
                </Action>
                <Action icon={Pencil} variant="default" onClick={edit}>
                  {t.edit}
                </Action>
              </>
            )}
            <Action icon={Trash2} variant="light" color="red" onClick={remove}>
              {t.remove}
            </Action>
          </>
        )
      }
    >
      <HiddenNote kind="webhook-url" />
      {webhook.state === 'off' && <Off webhook={webhook} mayEnable={mayChange} />}
      <Health webhook={webhook} />
      {webhook.kind === 'webhook' && mayChange && <WebhookSecret id={webhook.id} />}
      <Deliveries webhook={webhook} />
    </Page>
  );
}

/** Says why an endpoint is off, and enables it again. */
function Off({ webhook, mayEnable }: { readonly webhook: Webhook; readonly mayEnable: boolean }) {
  const t = useWebhookTexts();
  const done = useDone();
  const enable = useChange('POST', '/v1/webhooks/{id}/enable', {
    onSuccess: () => done(t.enabled, WEBHOOK, WEBHOOKS),
  });
  return (
    <>
      <Alert color="red" icon={<Power />} title={t.off}>
        <Text size="sm">
          {t.offReason}: <bdi>{webhook.off_reason}</bdi> · <Time at={webhook.off_at} />
        </Text>
        {mayEnable && (
          <Button
            mt="sm"
            size="xs"
            loading={enable.isPending}
            leftSection={<Power size={15} />}
            onClick={() => enable.mutate(byId(webhook.id))}
          >
            {t.enable}
          </Button>
        )}
      </Alert>
      <ErrorNote error={enable.error} />
    </>
  );
}

/** How deliveries to an endpoint went. */
function Health({ webhook }: { readonly webhook: Webhook }) {
  const t = useWebhookTexts();
  return (
    <SimpleGrid type="container" cols={{ base: 2, '600px': 4 }} spacing="sm">
      <Tile label={t.delivered}>
        <Count value={webhook.delivered} />
      </Tile>
      <Tile label={t.failed}>
        <Count value={webhook.failed} />
      </Tile>
      <Tile label={t.lastSuccess} size="sm">
        <Time at={webhook.last_success_at} />
      </Tile>
      <Tile label={webhook.failing_since === null ? t.lastFailure : t.failingSince} size="sm">
        <Time at={webhook.failing_since ?? webhook.last_failure_at} />
      </Tile>
    </SimpleGrid>
  );
}
