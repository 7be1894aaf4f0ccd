import { Button } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { api, byId } from '../../api/client.ts';
import { useList } from '../../api/pages.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { Address, Time } from '../../components/values.tsx';
import { useOperatorTexts } from './texts.ts';

const OFF = '/v1/operator/webhooks';

/** Addresses of all accounts that are switched off. */
export default function OffWebhooks() {
  const { webhooks: t } = useOperatorTexts();
  const done = useDone();
  const pages = useList(OFF, ({ webhooks }) => webhooks);
  const enable = api.useMutation('post', '/v1/operator/webhooks/{id}/enable', {
    onSuccess: () => done(t.enabled, OFF),
  });
  return (
    <Page title={t.title} lead={t.lead}>
      <ErrorNote error={enable.error} />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.account,
            cell: (row) => (
              <Named href={`/operator/accounts/${row.account_id}`} name={<bdi dir="ltr">{row.username}</bdi>}>
                <Address url={row.url} />
              </Named>
            ),
          },
          { title: t.reason, cell: (row) => <bdi>{row.off_reason}</bdi>, wideOnly: true },
          { title: t.since, cell: (row) => <Time at={row.off_at} />, wideOnly: true },
          {
            key: 'enable',
            title: '',
            align: 'end',
            cell: (row) => (
              <Button
                size="xs"
                variant="light"
                aria-label={t.enableOne(row.url)}
                loading={enable.isPending && enable.variables.params.path.id === row.id}
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
