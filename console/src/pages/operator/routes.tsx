import { Paper, Stack } from '@mantine/core';
import { Plus, Route as RouteIcon } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Section } from '../../components/text.tsx';
import { CONNECTORS, ROUTES } from './connector-data.ts';
import { FindRoute } from './find-route.tsx';
import { NumberLookup } from './number-lookup.tsx';
import { RouteForm } from './route-form.tsx';
import { RouteQuality } from './route-quality.tsx';
import { RouteTable } from './route-table.tsx';
import { useRouteTexts } from './route-texts.ts';

/** Routes of messages over connectors, as operators change them. */
export default function Routes() {
  const t = useRouteTexts();
  const { open } = useDialogs();
  const connectors = useAnswer(CONNECTORS);
  const routes = useAnswer(ROUTES);
  const names =
    connectors.data?.connectors.filter(({ channel }) => channel === 'sms').map(({ name }) => name) ?? [];
  return (
    <Page lead={t.lead}>
      <Section
        title={t.title}
        hint={t.hint}
        actions={
          <Action
            icon={Plus}
            disabled={names.length === 0}
            onClick={() => open(t.add, <RouteForm names={names} />, { size: 'lg' })}
          >
            {t.add}
          </Action>
        }
      >
        <Fetched query={routes}>
          {({ routes: all }) => (
            <Stack gap="lg">
              <Paper withBorder className="table-card">
                {all.length === 0 ? (
                  <Empty icon={RouteIcon} title={t.none} hint={t.noneHint} />
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
      <NumberLookup />
    </Page>
  );
}
