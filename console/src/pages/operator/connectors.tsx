import { Group, Paper, Stack } from '@mantine/core';
import { Cable, Plus, Route as RouteIcon } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Section } from '../../components/text.tsx';
import { ConnectorCard } from './connector-card.tsx';
import { CONNECTORS, labelOf, ROUTES } from './connector-data.ts';
import { AddConnector } from './connector-forms.tsx';
import { FindRoute } from './find-route.tsx';
import { HttpConnectorForm } from './http-connector-form.tsx';
import { RouteForm } from './route-form.tsx';
import { RouteQuality } from './route-quality.tsx';
import { RouteTable } from './route-table.tsx';
import { useRouteTexts } from './route-texts.ts';
import { useOperatorTexts } from './texts.ts';

const REFRESH_MS = 2_000;

/** Connections to carriers and the routes over them, as operators change them. */
export default function Connectors() {
  const { connectors: t } = useOperatorTexts();
  const routeTexts = useRouteTexts();
  const { open } = useDialogs();
  const connectors = useAnswer(CONNECTORS);
  const routes = useAnswer(ROUTES);
  const states = useAnswer('/v1/operator/carriers', {}, { refetchInterval: REFRESH_MS });
  const stateOf = (name: string) => states.data?.carriers.find((carrier) => carrier.name === name);
  const routeLabels = new Map(routes.data?.routes.map((route) => [route.name, labelOf(route)]));
  const names =
    connectors.data?.connectors.filter(({ channel }) => channel === 'sms').map(({ name }) => name) ?? [];
  return (
    <Page lead={t.lead}>
      <Section
        title={t.connectors}
        actions={
          <Group gap="xs">
            <Action icon={Plus} variant="default" onClick={() => open(t.addHttp, <HttpConnectorForm />)}>
              {t.addHttp}
            </Action>
            <Action icon={Plus} onClick={() => open(t.add, <AddConnector />)}>
              {t.add}
            </Action>
          </Group>
        }
      >
        <Fetched query={connectors}>
          {({ connectors: all }) =>
            all.length === 0 ? (
              <Paper withBorder>
                <Empty icon={Cable} title={t.none} hint={t.noneHint} />
              </Paper>
            ) : (
              <Stack gap="sm">
                {all.map((connector) => (
                  <ConnectorCard
                    key={connector.name}
                    connector={connector}
                    routeLabels={routeLabels}
                    state={stateOf(connector.name)?.state}
                  />
                ))}
              </Stack>
            )
          }
        </Fetched>
      </Section>
      <Section
        title={routeTexts.title}
        hint={routeTexts.hint}
        actions={
          <Action
            icon={Plus}
            disabled={names.length === 0}
            onClick={() => open(routeTexts.add, <RouteForm names={names} />, { size: 'lg' })}
          >
            {routeTexts.add}
          </Action>
        }
      >
        <Fetched query={routes}>
          {({ routes: all }) => (
            <Stack gap="lg">
              <Paper withBorder className="table-card">
                {all.length === 0 ? (
                  <Empty icon={RouteIcon} title={routeTexts.none} hint={routeTexts.noneHint} />
                ) : (
                  <RouteTable routes={all} names={names} />
                )}
              </Paper>
              <FindRoute routes={all} />
            </Stack>
          )}
        </Fetched>
      </Section>
      <RouteQuality />
    </Page>
  );
}
