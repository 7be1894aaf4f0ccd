import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Endings of numbers whose messages and calls fail (docs/sandbox.md). */
export function Endings() {
  const { sandbox: t } = useTexts();
  return (
    <Card title={t.endings} lead={t.endingsHint}>
      <RowsTable
        caption={t.endings}
        minWidth={280}
        verticalSpacing={6}
        rows={Object.entries(t.outcomes)}
        rowKey={([ending]) => ending}
        columns={[
          {
            title: t.ending,
            rowHeader: true,
            cell: ([ending]) => (
              <span className="nowrap">
                <bdi dir="ltr">…{ending}</bdi>
              </span>
            ),
          },
          { title: t.sms, cell: ([, { sms }]) => sms || <Muted span>–</Muted> },
          { title: t.call, cell: ([, { call }]) => call || <Muted span>–</Muted> },
        ]}
      />
    </Card>
  );
}
