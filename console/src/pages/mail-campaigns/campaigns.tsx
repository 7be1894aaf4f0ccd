import { MailOpen, PenLine } from 'lucide-react';
import { useList } from '../../api/pages.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { stateTones } from '../../features/campaigns/shipment.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { stateOf } from './mail-campaign.ts';

const ROWS = 25;
const REFETCH_MS = 5_000;

/** Mails to lists, the newest first. */
export default function MailCampaigns() {
  const { mailCampaigns: t, campaigns } = useTexts();
  const pages = useList('/v1/mail/campaigns', (answer) => answer.campaigns, {
    query: { limit: ROWS },
    refetchMs: REFETCH_MS,
  });
  const compose = useMay('sender') && (
    <Action icon={PenLine} href="/mail-campaigns/new">
      {t.compose}
    </Action>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={compose}>
      <HiddenNote kind="message-text" />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.subject,
            cell: (row) => (
              <>
                <TextLink href={`/mail-campaigns/${row.id}`} fw={600}>
                  <bdi>{row.name ?? row.subject}</bdi>
                </TextLink>
                {row.name !== null && (
                  <Muted size="xs" lineClamp={1}>
                    <bdi>{row.subject}</bdi>
                  </Muted>
                )}
              </>
            ),
          },
          {
            title: t.state,
            cell: (row) => (
              <StatusBadge tone={stateTones[stateOf(row)]}>{campaigns.states[stateOf(row)]}</StatusBadge>
            ),
          },
          { title: t.recipients, align: 'end', cell: (row) => <Count value={row.total} /> },
          { title: t.begins, wideOnly: true, cell: (row) => <Time at={row.due_at} /> },
        ]}
        empty={
          <Empty icon={MailOpen} title={t.none} action={compose}>
            {t.noneHint}
          </Empty>
        }
      />
    </Page>
  );
}
