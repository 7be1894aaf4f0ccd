import { Group, Paper, Stack } from '@mantine/core';
import { Cable, Plus } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Section } from '../../components/text.tsx';
import { ConnectorCard } from './connector-card.tsx';
import { CONNECTORS, labelOf, ROUTES } from './connector-data.ts';
import { AddConnector } from './connector-forms.tsx';
import { HttpConnectorForm } from './http-connector-form.tsx';
import { useOperatorTexts } from './texts.ts';

const REFRESH_MS = 2_000;

/** Connections to carriers, as operators change them. */
export default function Connectors() {
  const { connectors: t } = useOperatorTexts();
  const { open } = useDialogs();
  const connectors = useAnswer(CONNECTORS);
  const routes = useAnswer(ROUTES);
  const states = useAnswer('/v1/operator/carriers', {}, { refetchInterval: REFRESH_MS });
  const stateOf = (name: string) => states.data?.carriers.find((carrier) => carrier.name === name);
  const routeLabels = new Map(routes.data?.routes.map((route) => [route.name, labelOf(route)]));
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
    </Page>
  );
}
