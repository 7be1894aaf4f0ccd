import { useList } from '../../api/paging.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useOpened } from '../../components/use-opened.ts';
import { Phone, Time } from '../../components/values.tsx';
import { useFailureTexts } from '../../features/messages/channels.ts';
import { MessagePanel } from '../../features/messages/message-panel.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const ROWS = 25;
const REFETCH_MS = 10_000;

/** The recipients of a campaign that were not sent to or not reached, each with the reason. */
export function FailedRecipients({ id }: { readonly id: string }) {
  const { campaigns: t } = useTexts();
  const textsOf = useFailureTexts();
  const pages = useList('/v1/campaigns/{id}/failed-recipients', ({ recipients }) => recipients, {
    path: { id },
    query: { limit: ROWS },
    refetchMs: REFETCH_MS,
  });
  const opened = useOpened(pages.rows, ({ message_id }) => message_id);
  return (
    <Card title={t.failedRecipients}>
      <DataTable
        caption={t.failedRecipients}
        pages={pages}
        rowKey={({ message_id }) => message_id}
        opened={opened.key}
        columns={[
          {
            title: t.recipient,
            onPhone: 'title',
            cell: (row) => (
              <RowLink
                href={`/messages/${row.message_id}`}
                size="sm"
                className="break-anywhere"
                onOpen={() => opened.open(row)}
              >
                <Phone number={row.recipient} />
              </RowLink>
            ),
          },
          {
            title: t.reason,
            onPhone: 'text',
            cell: ({ failure, carrier_status: word }) => (
              <>
                {textsOf(failure).why}
                {word !== null && (
                  <Muted size="xs">
                    <bdi dir="ltr">{word}</bdi>
                  </Muted>
                )}
              </>
            ),
          },
          { title: t.at, onPhone: 'end', cell: ({ at }) => <Time at={at} to="second" /> },
        ]}
        empty={<Empty title={t.noFailures} />}
      />
      <MessagePanel opened={opened} />
    </Card>
  );
}
