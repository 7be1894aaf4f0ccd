import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Count } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const REFETCH_MS = 5_000;

type Lane = Answer<'/v1/queue'>['lanes'][number];

/** Messages of the account that wait to be submitted. */
export function Queue() {
  const { overview: t } = useTexts();
  const query = useAnswer('/v1/queue', {}, { refetchInterval: REFETCH_MS });
  return (
    <Card title={t.queue}>
      <Fetched query={query}>
        {({ lanes }) =>
          lanes.every(({ due, later, paused, held }) => due + later + paused + held === 0) ? (
            <Muted>{t.queueEmpty}</Muted>
          ) : (
            <RowsTable
              caption={t.queue}
              verticalSpacing="sm"
              rows={lanes}
              rowKey={({ lane }) => lane}
              columns={[
                {
                  title: t.queue,
                  hiddenTitle: true,
                  rowHeader: true,
                  cell: ({ lane, due, oldest_seconds }) => (
                    <>
                      {t.lanes[lane]}
                      {due > 0 && oldest_seconds > 0 && (
                        <Muted size="xs" fw={400}>
                          {t.oldest(oldest_seconds)}
                        </Muted>
                      )}
                    </>
                  ),
                },
                { title: t.due, align: 'end', cell: ({ due }) => <Count value={due} /> },
                { title: t.later, align: 'end', cell: ({ later }) => <Count value={later} /> },
                { title: t.paused, align: 'end', cell: ({ paused }) => <Count value={paused} /> },
                // An account is seldom suspended.
                ...(lanes.some(({ held }) => held > 0)
                  ? [
                      {
                        title: t.held,
                        align: 'end' as const,
                        cell: ({ held }: Lane) => <Count value={held} />,
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Fetched>
    </Card>
  );
}
