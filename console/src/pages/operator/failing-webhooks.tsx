import { Button } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { byId } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useChange } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useOperatorTexts } from './texts.ts';

const FAILING = '/v1/operator/webhooks';

/** Webhook endpoints of all accounts that fail or are disabled. */
export default function FailingWebhooks() {
  const { webhooks: t } = useOperatorTexts();
  const done = useDone();
  const pages = useList(FAILING, ({ webhooks }) => webhooks);
  const enable = useChange('POST', '/v1/operator/webhooks/{id}/enable', {
    onSuccess: () => done(t.enabled, FAILING),
  });
  return (
    <Page lead={t.lead}>
      <ErrorNote error={enable.error} />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.account,
            cell: (row) => (
              <Named href={`/operator/accounts/${row.account_id}`} name={<bdi dir="ltr">{row.username}</bdi>}>
                <bdi dir="ltr">{row.host}</bdi>
              </Named>
            ),
          },
          {
            title: t.state,
            cell: (row) => (
              <>
                <StatusBadge tone={row.state === 'off' ? 'neutral' : 'bad'}>
                  {t.states[row.state]}
                </StatusBadge>
                <Muted size="xs" component="div">
                  <Time at={row.since} />
                </Muted>
              </>
            ),
          },
          {
            title: t.answer,
            cell: (row) => (
              <>
                <bdi dir="ltr">{row.last_error ?? '–'}</bdi>
                {row.off_reason && (
                  <Muted size="xs" component="div">
                    <bdi>{row.off_reason}</bdi>
                  </Muted>
                )}
              </>
            ),
            wideOnly: true,
          },
          { title: t.waiting, align: 'end', cell: (row) => <Count value={row.waiting} />, wideOnly: true },
          {
            key: 'enable',
            title: '',
            align: 'end',
            cell: (row) =>
              row.state === 'off' && (
                <Button
                  size="xs"
                  variant="light"
                  aria-label={t.enableOne(row.host)}
                  loading={enable.isPending && enable.variables.path.id === row.id}
                  onClick={() => enable.mutate(byId(row.id))}
                >
                  {t.enable}
                </Button>
              ),
          },
        ]}
        empty={<Empty icon={CircleCheck} title={t.none} hint={t.noneHint} />}
      />
    </Page>
  );
}
