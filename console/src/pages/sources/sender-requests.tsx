import { Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { api, client } from '../../api/client.ts';
import type { Answer } from '../../api/types.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ReasonForm } from '../../components/reason-form.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { Fetched } from '../../components/states.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { NamedSender } from './named-sender.tsx';

type NameRequest = Answer<'/v1/operator/source-requests'>['requests'][number];
type Verification = Answer<'/v1/operator/verifications'>['verifications'][number];

const NAMES = '/v1/operator/source-requests';
const VERIFICATIONS = '/v1/operator/verifications';

/** What accounts want to send from and the operator has to answer. */
export default function SenderRequests() {
  const { senderRequests: t } = useTexts();
  return (
    <Page title={t.title} lead={t.lead}>
      <Names />
      <Numbers />
    </Page>
  );
}

function Names() {
  const { senderRequests: t } = useTexts();
  const done = useDone();
  const query = api.useQuery('get', NAMES);
  const [approving, setApproving] = useState<NameRequest>();
  const [refusing, setRefusing] = useState<NameRequest>();
  return (
    <Card title={t.names}>
      <Fetched query={query}>
        {({ requests }) => (
          <RowsTable
            caption={t.names}
            rows={requests}
            rowKey={(row) => `${row.account_id} ${row.source}`}
            empty={t.noNames}
            columns={[
              { title: t.name, cell: (row) => <NamedSender {...row} /> },
              { title: t.account, cell: (row) => <bdi dir="ltr">{row.username}</bdi> },
              { title: t.asked, wideOnly: true, cell: (row) => <Time at={row.asked_at} /> },
              {
                title: t.approve,
                hiddenTitle: true,
                cell: (row) => (
                  <Group gap="xs" justify="flex-end">
                    <RowButton of={row.source} color="red" onClick={() => setRefusing(row)}>
                      {t.refuse}
                    </RowButton>
                    <RowButton of={row.source} variant="filled" onClick={() => setApproving(row)}>
                      {t.approve}
                    </RowButton>
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Fetched>
      <Confirm
        opened={approving !== undefined}
        onClose={() => setApproving(undefined)}
        title={t.approveTitle(approving?.source ?? '')}
        action={t.approve}
        onConfirm={async () => {
          const { account_id, source } = approving!;
          await client.POST('/v1/operator/source-requests/approve', { body: { account_id, source } });
          await done(t.approved, NAMES);
        }}
      >
        {t.approveText(approving?.username ?? '')}
      </Confirm>
      <Modal
        opened={refusing !== undefined}
        onClose={() => setRefusing(undefined)}
        title={t.refuseTitle(refusing?.source ?? '')}
      >
        {refusing && (
          <ReasonForm
            texts={t}
            action={t.refuse}
            onClose={() => setRefusing(undefined)}
            save={async (reason) => {
              const { account_id, source } = refusing;
              await client.POST('/v1/operator/source-requests/refuse', {
                body: { account_id, source, reason },
              });
              await done(t.refused, NAMES);
            }}
          />
        )}
      </Modal>
    </Card>
  );
}

function Numbers() {
  const { senderRequests: t } = useTexts();
  const done = useDone();
  const query = api.useQuery('get', VERIFICATIONS);
  const [confirming, setConfirming] = useState<Verification>();
  return (
    <Card title={t.numbers} lead={t.numbersHint}>
      <Fetched query={query}>
        {({ verifications }) => (
          <RowsTable
            caption={t.numbers}
            rows={verifications.map((row, index) => ({ ...row, index }))}
            // A number may be asked for several times.
            rowKey={(row) => row.index}
            empty={t.noNumbers}
            columns={[
              { title: t.number, cell: (row) => <Phone number={row.phone} /> },
              { title: t.account, cell: (row) => <bdi dir="ltr">{row.username}</bdi> },
              { title: t.kind, wideOnly: true, cell: (row) => (row.landline ? t.landline : t.mobile) },
              { title: t.until, wideOnly: true, cell: (row) => <Time at={row.expires_at} /> },
              {
                title: t.confirm,
                hiddenTitle: true,
                align: 'end',
                cell: (row) => (
                  <RowButton of={row.phone} variant="light" onClick={() => setConfirming(row)}>
                    {t.confirm}
                  </RowButton>
                ),
              },
            ]}
          />
        )}
      </Fetched>
      <Confirm
        opened={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
        title={t.confirmTitle}
        action={t.confirm}
        onConfirm={async () => {
          const { account_id, phone } = confirming!;
          await client.POST('/v1/operator/verifications/confirm', { body: { account_id, phone } });
          await done(t.confirmed, VERIFICATIONS);
        }}
      >
        <Phone number={confirming?.phone ?? ''} />
        <br />
        {t.confirmText(confirming?.username ?? '')}
      </Confirm>
    </Card>
  );
}
