import { Group } from '@mantine/core';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ReasonForm } from '../../components/reason-form.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { Fetched } from '../../components/states.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { NamedSender } from './named-sender.tsx';
import { useSenderRequestTexts } from './texts.ts';

type NameRequest = Answer<'/v1/operator/source-requests'>['requests'][number];
type Verification = Answer<'/v1/operator/verifications'>['verifications'][number];

const NAMES = '/v1/operator/source-requests';
const VERIFICATIONS = '/v1/operator/verifications';

/** Requests for senders that wait for the operator's answer. */
export default function SenderRequests() {
  const t = useSenderRequestTexts();
  return (
    <Page lead={t.lead}>
      <Names />
      <Numbers />
    </Page>
  );
}

function Names() {
  const t = useSenderRequestTexts();
  const { common } = useTexts();
  const done = useDone();
  const query = useAnswer(NAMES);
  const { open, ask } = useDialogs();
  const approve = ({ account_id, source, username }: NameRequest) =>
    ask({
      title: t.approveTitle(source),
      text: t.approveText(username),
      action: t.approve,
      run: async () => {
        await client.POST('/v1/operator/source-requests/approve', { body: { account_id, source } });
        await done(t.approved, NAMES);
      },
    });
  const refuse = async ({ account_id, source }: NameRequest, reason: string) => {
    await client.POST('/v1/operator/source-requests/refuse', { body: { account_id, source, reason } });
    await done(t.refused, NAMES);
  };
  const askReason = (row: NameRequest) =>
    open(
      t.refuseTitle(row.source),
      <ReasonForm
        texts={t}
        action={t.refuse}
        keep={common.keeps.request}
        save={(reason) => refuse(row, reason)}
      />,
    );
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
                    <RowButton of={row.source} color="red" onClick={() => askReason(row)}>
                      {t.refuse}
                    </RowButton>
                    <RowButton of={row.source} variant="filled" onClick={() => approve(row)}>
                      {t.approve}
                    </RowButton>
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Fetched>
    </Card>
  );
}

function Numbers() {
  const t = useSenderRequestTexts();
  const done = useDone();
  const query = useAnswer(VERIFICATIONS);
  const { ask } = useDialogs();
  const confirm = ({ account_id, phone, username }: Verification) =>
    ask({
      title: t.confirmTitle,
      action: t.confirm,
      run: async () => {
        await client.POST('/v1/operator/verifications/confirm', { body: { account_id, phone } });
        await done(t.confirmed, VERIFICATIONS);
      },
      text: (
        <>
          <Phone number={phone} />
          <br />
          {t.confirmText(username)}
        </>
      ),
    });
  return (
    <Card title={t.numbers} lead={t.numbersHint}>
      <Fetched query={query}>
        {({ verifications }) => (
          <RowsTable
            caption={t.numbers}
            rows={verifications.map((row, index) => ({ ...row, index }))}
            // Several requests can name the same number.
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
                  <RowButton of={row.phone} variant="light" onClick={() => confirm(row)}>
                    {t.confirm}
                  </RowButton>
                ),
              },
            ]}
          />
        )}
      </Fetched>
    </Card>
  );
}
