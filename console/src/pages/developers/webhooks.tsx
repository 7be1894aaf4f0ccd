import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useList } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { Address, Count, Time } from '../../components/values.tsx';
import { RegisterForm } from './register-webhook.tsx';
import { useEventName, WEBHOOKS, WebhookState } from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

const REFRESH_MS = 10_000;

/** The addresses of an account that hear of events. */
export default function Webhooks() {
  const t = useWebhookTexts();
  const eventName = useEventName();
  const mayChange = useMay('owner');
  const { open } = useDialogs();
  const pages = useList(WEBHOOKS, ({ webhooks }) => webhooks, { refetchMs: REFRESH_MS });
  const add = mayChange && (
    <Action icon={Plus} onClick={() => open(t.add, <RegisterForm />, { size: 'lg' })}>
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={add}>
      <HiddenNote kind="webhook-url" />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.url,
            cell: (row) => (
              <Named href={`/webhooks/${row.id}`} name={<Address url={row.url} />}>
                {t.kindsShort[row.kind]}
                {row.kind === 'webhook' &&
                  ` · ${row.types === null ? t.allEvents : row.types.map(eventName).join(', ')}`}
              </Named>
            ),
          },
          { title: t.state, cell: (row) => <WebhookState webhook={row} /> },
          {
            title: t.delivered,
            align: 'end',
            cell: (row) => <Count value={row.delivered} />,
            wideOnly: true,
          },
          { title: t.failed, align: 'end', cell: (row) => <Count value={row.failed} />, wideOnly: true },
          { title: t.lastSuccess, cell: (row) => <Time at={row.last_success_at} />, wideOnly: true },
        ]}
        empty={<Empty icon={WebhookIcon} title={t.none} action={add} hint={t.noneHint} />}
      />
    </Page>
  );
}
