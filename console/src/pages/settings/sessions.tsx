import { Button, Text } from '@mantine/core';
import { byId } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDone } from '../../components/notify.ts';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Sessions of the person, with the action that ends them. */
export function Sessions() {
  const { account: t } = useTexts();
  const done = useDone();
  const query = useAnswer('/v1/session/sessions');
  const options = { onSuccess: () => done(t.ended, '/v1/session/sessions') };
  const end = useChange('DELETE', '/v1/session/sessions/{id}', options);
  const endOthers = useChange('DELETE', '/v1/session/sessions', options);
  const others = (query.data?.sessions.length ?? 0) > 1;
  return (
    <Card
      id="sessions"
      title={t.sessions}
      lead={t.sessionsHint}
      actions={
        others && (
          <Button
            variant="default"
            size="xs"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate({})}
          >
            {t.endOthers}
          </Button>
        )
      }
    >
      <ErrorNote error={end.error ?? endOthers.error} />
      <Fetched query={query}>
        {({ sessions }) => (
          <RowsTable
            caption={t.sessions}
            minWidth={480}
            verticalSpacing="sm"
            rows={sessions}
            rowKey={({ id }) => id}
            columns={[
              {
                title: t.device,
                cell: ({ agent, current }) => (
                  <>
                    <Text size="sm" span title={agent}>
                      <bdi dir="ltr">{nameOfBrowser(agent)}</bdi>
                    </Text>{' '}
                    {current && <StatusBadge tone="good">{t.thisSession}</StatusBadge>}
                  </>
                ),
              },
              { title: t.address, cell: ({ address }) => <bdi dir="ltr">{address}</bdi> },
              { title: t.since, cell: ({ created_at }) => <Time at={created_at} /> },
              { title: t.lastSeen, cell: ({ seen_at }) => <Time at={seen_at} /> },
              {
                title: t.end,
                hiddenTitle: true,
                align: 'end',
                cell: ({ id, current }) =>
                  !current && (
                    <Button size="xs" variant="subtle" color="red" onClick={() => end.mutate(byId(id))}>
                      {t.end}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Fetched>
    </Card>
  );
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** `Firefox · Linux`, from a browser's user agent; the user agent itself when it is not recognized. */
function nameOfBrowser(agent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 40) || '–';
}
