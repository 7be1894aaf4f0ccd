import { Badge, Group, Paper, Text } from '@mantine/core';
import { Eye, Gauge, Pencil, PlugZap, Power, Send, Trash2 } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { useTask } from '../../components/task.ts';
import { Muted } from '../../components/text.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { CONNECTORS, type Connector, type ConnectorState, connectorTones } from './connector-data.ts';
import { ChangeConnector, ConnectorLimit } from './connector-forms.tsx';
import { HttpConnectorForm } from './http-connector-form.tsx';
import { RequestPreview } from './request-preview.tsx';
import { NameList } from './route-words.tsx';
import { TestMessageForm } from './test-message.tsx';
import { useTestMessageTexts } from './test-message-texts.ts';
import { useOperatorTexts } from './texts.ts';
import { TrialResult } from './trial-result.tsx';

const ONE = '/v1/operator/connectors/{id}';
/** Names of relays have a slash. */
const byName = (name: string) => ({ path: { id: name } });

/** A connector with how it stands, and what can be done with it. */
export function ConnectorCard({
  connector,
  routeLabels,
  state = 'free',
}: {
  readonly connector: Connector;
  /** Titles of routes by their names. */
  readonly routeLabels: ReadonlyMap<string, string>;
  readonly state: ConnectorState | undefined;
}) {
  const { connectors: t, network } = useOperatorTexts();
  const test = useTestMessageTexts();
  const language = useLanguage();
  const { open } = useDialogs();
  const attempt = useAttempt();
  const { name, protocol, channel, per_second: perSecond, is_enabled: isEnabled, routes } = connector;
  const labels = new Set(routes.map((route) => routeLabels.get(route) ?? route));
  const sendsSms = channel === 'sms';
  const trial = useTask(() =>
    attempt(async () => {
      const data = await client.POST('/v1/operator/connectors/{id}/try', byName(name));
      open(t.trialOf(name), <TrialResult trial={data} />);
    }),
  );
  const address = connector.smpp
    ? `${connector.smpp.host}:${connector.smpp.port}`
    : (connector.sip?.uri ?? '');
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600}>
            <bdi dir="ltr">{name}</bdi>
          </Text>
          <StatusBadge tone={isEnabled ? connectorTones[state] : 'neutral'}>
            {isEnabled ? network[state] : t.disabled}
          </StatusBadge>
          {connector.is_configured && (
            <Badge variant="default" tt="none">
              {t.configured}
            </Badge>
          )}
        </Group>
        <Group gap="xs">
          {sendsSms && (
            <Action
              icon={Send}
              mirrored
              size="xs"
              variant="default"
              disabled={!isEnabled}
              aria-label={test.sendOver(name)}
              onClick={() => open(test.titleOf(name), <TestMessageForm connector={name} />, { size: 'lg' })}
            >
              {test.send}
            </Action>
          )}
          <Action
            icon={PlugZap}
            size="xs"
            variant="default"
            loading={trial.busy}
            aria-label={t.tryOne(name)}
            onClick={() => void trial.run()}
          >
            {t.try}
          </Action>
          <ConnectorMenu connector={connector} />
        </Group>
      </Group>
      <Muted size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {protocol === 'http' && channel === 'voice' ? t.httpCalls : t.protocols[protocol]}
        {address !== '' && (
          <>
            {' · '}
            <bdi dir="ltr">{address}</bdi>
          </>
        )}
        {' · '}
        {perSecond === 0 ? t.noLimit : t.limitOf(perSecond.toLocaleString(language))}
        {sendsSms && (
          <>
            {' · '}
            {labels.size === 0 ? (
              t.noRoute
            ) : (
              <>
                {t.inRoutes} <NameList names={[...labels]} />
              </>
            )}
          </>
        )}
      </Muted>
    </Paper>
  );
}

function ConnectorMenu({ connector }: { readonly connector: Connector }) {
  const { connectors: t } = useOperatorTexts();
  const { open, ask } = useDialogs();
  const attempt = useAttempt();
  const done = useDone();
  const { name, protocol, is_enabled: isEnabled, is_configured: isConfigured } = connector;
  const preview = async () => {
    const data = await client.POST('/v1/operator/http-carriers/try', { body: { connector: name } });
    open(t.previewOf(name), <RequestPreview connector={name} preview={data} />, { size: 'lg' });
  };
  const form = connector.http ? (
    <HttpConnectorForm connector={connector} />
  ) : (
    <ChangeConnector connector={connector} />
  );
  const enable = async (wanted: boolean) => {
    await client.PATCH(ONE, { ...byName(name), body: { is_enabled: wanted } });
    await done(wanted ? t.enabledNow(name) : t.disabledNow(name), CONNECTORS);
  };
  const disable = () =>
    ask({
      title: t.disableTitle(name),
      text: t.disableText,
      action: t.disable,
      run: () => enable(false),
    });
  const remove = () =>
    ask({
      title: t.removeTitle(name),
      text: t.removeText,
      action: t.remove,
      keep: t.keep,
      run: async () => {
        await client.DELETE(ONE, byName(name));
        await done(t.removed(name), CONNECTORS);
      },
    });
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        {
          icon: Gauge,
          label: t.limit,
          onClick: () => open(t.limitTitle(name), <ConnectorLimit connector={connector} />),
        },
        !isConfigured && {
          icon: Pencil,
          label: t.edit,
          onClick: () => open(t.editOne(name), form),
        },
        protocol === 'http' && { icon: Eye, label: t.preview, onClick: () => void attempt(preview) },
        isEnabled
          ? { icon: Power, label: t.disable, onClick: disable }
          : { icon: Power, label: t.enable, onClick: () => void attempt(() => enable(true)) },
        !isConfigured && 'divider',
        !isConfigured && { icon: Trash2, label: t.remove, danger: true, onClick: remove },
      ]}
    />
  );
}
