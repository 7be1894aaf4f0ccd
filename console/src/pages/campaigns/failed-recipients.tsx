import { useList } from '../../api/paging.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useFailureTexts } from '../../features/messages/channels.ts';
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
  return (
    <Card title={t.failedRecipients}>
      <DataTable
        caption={t.failedRecipients}
        pages={pages}
        rowKey={({ message_id }) => message_id}
        columns={[
          {
            title: t.recipient,
            cell: ({ message_id, recipient }) => (
              <TextLink href={`/messages/${message_id}`} size="sm" className="break-anywhere">
                <Phone number={recipient} />
              </TextLink>
            ),
          },
          {
            title: t.reason,
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
          { title: t.at, wideOnly: true, cell: ({ at }) => <Time at={at} to="second" /> },
        ]}
        empty={<Empty title={t.noFailures} />}
      />
    </Card>
  );
}
