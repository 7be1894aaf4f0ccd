import { Text } from '@mantine/core';
import { TrendingDown } from 'lucide-react';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Muted } from '../../components/text.tsx';
import { Amount, Count } from '../../components/values.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { useChannelName } from '../messages/channels.ts';
import { type Overview, rateOf } from './totals.ts';
import './traffic.css';

type Totals = Overview['totals'];
/** Fall of a delivery rate from which it is highlighted (2 percentage points). */
const FELL = 0.02;

/** Accepted and delivered messages by channel; highlights delivery rates that fell against the earlier period. */
export function Rates({
  totals,
  before,
  weeks,
}: {
  readonly totals: Totals;
  readonly before: Totals | undefined;
  readonly weeks: number;
}) {
  const { overview: t, common } = useTexts();
  const nameOf = useChannelName();
  return (
    <Card title={t.byChannel} lead={t.byChannelHint(weeks)}>
      <RowsTable
        caption={t.byChannel}
        verticalSpacing="sm"
        rows={totals}
        rowKey={({ channel }) => channel}
        columns={[
          { title: t.channel, rowHeader: true, cell: ({ channel }) => nameOf(channel) },
          { title: t.accepted, align: 'end', cell: ({ accepted }) => <Count value={accepted} /> },
          {
            title: t.outcome,
            width: '30%',
            wideOnly: true,
            cell: (row) => <OutcomeBar row={row} />,
          },
          {
            title: t.deliveryRate,
            align: 'end',
            cell: (row) => <Rate row={row} before={before?.find(({ channel }) => channel === row.channel)} />,
          },
          { title: t.failed, align: 'end', wideOnly: true, cell: ({ failed }) => <Count value={failed} /> },
          {
            title: common.inCredits(t.spent),
            align: 'end',
            wideOnly: true,
            cell: ({ spent }) => <Amount value={spent} />,
          },
        ]}
      />
    </Card>
  );
}

/** Shares of delivered, unfinished and failed messages. */
function OutcomeBar({ row }: { readonly row: Totals[number] }) {
  const shares = { good: row.delivered + row.read, busy: row.waiting + row.submitted, bad: row.failed };
  return (
    <div className="outcome-bar" aria-hidden>
      {Object.entries(shares).map(
        ([outcome, count]) => count > 0 && <i key={outcome} data-outcome={outcome} style={{ flex: count }} />,
      )}
    </div>
  );
}

type Delivered = Pick<Totals[number], 'delivered' | 'read' | 'failed'>;

/** A delivery rate, pointed at when it fell. */
export function Rate({ row, before }: { readonly row: Delivered; readonly before: Delivered | undefined }) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const rate = rateOf(row);
  if (rate === undefined) return <Muted span>–</Muted>;
  const past = before && rateOf(before);
  const good = row.delivered + row.read;
  const shown = percentOf(good, good + row.failed, language);
  if (past === undefined || past - rate < FELL) return <bdi>{shown}</bdi>;
  return (
    <Text span inherit data-fell className="nowrap">
      <TrendingDown size={15} aria-hidden className="change-icon" /> <bdi>{shown}</bdi>{' '}
      <Muted span size="xs">
        {t.fellFrom(past.toLocaleString(language, { style: 'percent' }))}
      </Muted>
    </Text>
  );
}
