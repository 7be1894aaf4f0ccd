import { Alert, Badge, Group, Stack, Text } from '@mantine/core';
import { BadgeCheck, Info, Plus, ShieldCheck } from 'lucide-react';
import { atLeast } from '../../../../server/api/access/roles.ts';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay, useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { Empty, ErrorNote, Fetched } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Phone, StatusBadge, Time } from '../../components/values.tsx';
import { DltIds } from './dlt-ids.tsx';
import { NamedSender } from './named-sender.tsx';
import { NameForm, VerifyForm } from './source-forms.tsx';
import { useSourceTexts } from './texts.ts';

type Sources = Answer<'/v1/sources'>;

/** Approved senders of an account, and its requests for others. */
export default function SourcesPage() {
  const t = useSourceTexts();
  const { role } = useSession();
  const query = useAnswer('/v1/sources', undefined, {
    refetchInterval: ({ state }) => (state.data && state.data.waiting.length > 0 ? 5_000 : false),
  });
  const { open } = useDialogs();
  return (
    <Page
      lead={t.lead}
      actions={
        atLeast(role, 'owner') && (
          <>
            <Action icon={Plus} variant="default" onClick={() => open(t.askTitle, <NameForm />)}>
              {t.askName}
            </Action>
            <Action icon={ShieldCheck} onClick={() => open(t.verifyTitle, <VerifyForm />)}>
              {t.verify}
            </Action>
          </>
        )
      }
    >
      <Fetched query={query}>
        {(data) => (
          <Stack gap="lg">
            {data.any && (
              <Alert icon={<Info />} color="blue" role="note">
                {t.any}
              </Alert>
            )}
            <Requested rows={data.requested} />
            <Waiting rows={data.waiting} />
            <Approved rows={data.sources} />
            <DltIds />
          </Stack>
        )}
      </Fetched>
    </Page>
  );
}

function Approved({ rows }: { readonly rows: Sources['sources'] }) {
  const t = useSourceTexts();
  return (
    <Card title={t.approved}>
      {rows.length === 0 ? (
        <Empty icon={BadgeCheck} title={t.none} hint={t.noneHint} />
      ) : (
        <RowsTable
          caption={t.approved}
          rows={rows}
          rowKey={(row) => row.source}
          columns={[
            {
              title: t.source,
              cell: (row) => (
                <Group gap="xs">
                  <Text fw={600}>
                    <Phone number={row.source} />
                  </Text>
                  {row.incoming && (
                    <Badge variant="light" tt="none">
                      {t.incoming}
                    </Badge>
                  )}
                </Group>
              ),
            },
            { title: t.kind, cell: (row) => t.kinds[row.kind] },
            { title: t.since, wideOnly: true, cell: (row) => <Time at={row.since} /> },
          ]}
        />
      )}
    </Card>
  );
}

function Waiting({ rows }: { readonly rows: Sources['waiting'] }) {
  const t = useSourceTexts();
  if (rows.length === 0) return null;
  return (
    <Card title={t.waiting}>
      <RowsTable
        caption={t.waiting}
        rows={rows}
        rowKey={(row) => row.phone}
        columns={[
          { title: t.kinds.number, cell: (row) => <Phone number={row.phone} /> },
          { title: t.how, cell: (row) => (row.landline ? t.byCall : t.byLink) },
          { title: t.until, cell: (row) => <Time at={row.expires_at} /> },
        ]}
      />
    </Card>
  );
}

function Requested({ rows }: { readonly rows: Sources['requested'] }) {
  const t = useSourceTexts();
  const done = useDone();
  const refresh = useRefresh();
  const mayWithdraw = useMay('owner');
  const { error, run: withdraw } = useTask(async (source: string) => {
    try {
      await client.POST('/v1/sources/names/withdraw', { body: { source } });
      await done(t.withdrawn);
    } finally {
      await refresh('/v1/sources');
    }
  });
  if (rows.length === 0) return null;
  return (
    <Card title={t.requested}>
      <ErrorNote error={error} />
      <RowsTable
        caption={t.requested}
        rows={rows}
        rowKey={(row) => row.source}
        columns={[
          { title: t.name, cell: (row) => <NamedSender {...row} /> },
          {
            title: t.state,
            cell: (row) => (
              <>
                <StatusBadge tone={row.refused ? 'bad' : 'busy'}>
                  {row.refused ? t.refused : t.waits}
                </StatusBadge>
                {row.reason !== '' && (
                  <Text size="sm" dir="auto">
                    {row.reason}
                  </Text>
                )}
              </>
            ),
          },
          { title: t.askedAt, wideOnly: true, cell: (row) => <Time at={row.asked_at} /> },
          mayWithdraw && {
            title: t.withdraw,
            hiddenTitle: true,
            align: 'end',
            cell: (row) => (
              <RowButton of={row.source} onClick={() => void withdraw(row.source)}>
                {row.refused ? t.putAway : t.withdraw}
              </RowButton>
            ),
          },
        ]}
      />
    </Card>
  );
}
