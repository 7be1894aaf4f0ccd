import type { ReactNode } from 'react';
import { RowsTable } from '../../components/data-table.tsx';
import { Amount, Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { Point } from './totals.ts';
import './traffic.css';

/** A plot, and what it shows as a table for those who want the numbers. */
export function Plot({
  points,
  step,
  children,
}: {
  readonly points: readonly Point[];
  readonly step: 'hour' | 'day';
  readonly children: ReactNode;
}) {
  const { overview: t, common } = useTexts();
  return (
    <>
      {children}
      <details className="plot-table">
        <summary>{t.asTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard too */}
        <section tabIndex={0} aria-label={t.asTable}>
          <RowsTable
            caption={t.asTable}
            verticalSpacing={4}
            rows={points}
            rowKey={({ at }) => at}
            columns={[
              { title: t.time, cell: ({ at }) => <Time at={at} to={step === 'hour' ? 'minute' : 'date'} /> },
              { title: t.delivered, align: 'end', cell: ({ delivered }) => <Count value={delivered} /> },
              {
                title: t.underWay,
                align: 'end',
                wideOnly: true,
                cell: ({ underWay }) => <Count value={underWay} />,
              },
              { title: t.failed, align: 'end', cell: ({ failed }) => <Count value={failed} /> },
              {
                title: common.inCredits(t.spent),
                align: 'end',
                cell: ({ spent }) => <Amount value={String(spent)} />,
              },
            ]}
          />
        </section>
      </details>
    </>
  );
}
