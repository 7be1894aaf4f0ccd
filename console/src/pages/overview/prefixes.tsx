import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Count } from '../../components/values.tsx';
import { useChannelName } from '../../features/messages/channels.ts';
import { Rate } from '../../features/traffic/rates.tsx';
import type { Span } from '../../features/traffic/span.ts';
import { isLookedAt, rateOf } from '../../features/traffic/totals.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

type Row = Answer<'/v1/overview/prefixes'>['rows'][number];

const SHOWN = 8;
const REFETCH_MS = 60_000;

/** Delivery by prefix and domain: first those whose rate fell the most, then those with the most messages. */
export function Prefixes({ span, chosen }: { readonly span: Span; readonly chosen: string }) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const nameOf = useChannelName();
  const asked = ({ from, to }: Span['query']) => ({
    query: { from, ...(to !== undefined && { to }) },
  });
  const now = useAnswer('/v1/overview/prefixes', asked(span.query), {
    refetchInterval: REFETCH_MS,
  });
  const before = useAnswer('/v1/overview/prefixes', asked(span.before));
  if (!now.data || now.data.rows.length === 0) return null;
  const past = new Map((before.data?.rows ?? []).map((row) => [keyOf(row), row]));
  const rows = now.data.rows
    .filter(isLookedAt(chosen))
    .map((row) => ({ row, before: past.get(keyOf(row)) }))
    .toSorted((a, b) => fellBy(b) - fellBy(a) || b.row.accepted - a.row.accepted)
    .slice(0, SHOWN);
  return (
    <Card
      title={t.byPrefix}
      lead={
        now.data.sample < now.data.max_sample
          ? t.byPrefixHint
          : t.byPrefixSample(now.data.sample.toLocaleString(language))
      }
    >
      <RowsTable
        caption={t.byPrefix}
        verticalSpacing="sm"
        rows={rows}
        rowKey={({ row }) => keyOf(row)}
        columns={[
          {
            title: t.prefix,
            rowHeader: true,
            cell: ({ row }) => (
              <bdi dir="ltr" className="figures">
                {row.prefix}
              </bdi>
            ),
          },
          { title: t.channel, wideOnly: true, cell: ({ row }) => nameOf(row.channel) },
          { title: t.accepted, align: 'end', cell: ({ row }) => <Count value={row.accepted} /> },
          {
            title: t.deliveryRate,
            align: 'end',
            cell: ({ row, before: of }) => <Rate row={row} before={of} />,
          },
          { title: t.failed, align: 'end', wideOnly: true, cell: ({ row }) => <Count value={row.failed} /> },
        ]}
      />
    </Card>
  );
}

const keyOf = ({ channel, prefix }: Row) => `${channel} ${prefix}`;

/** Fall of a rate, from 0 to 1; 0 when it did not fall, or too little to highlight. */
function fellBy({ row, before }: { readonly row: Row; readonly before: Row | undefined }): number {
  const [now, past] = [rateOf(row), before && rateOf(before)];
  const fell = now === undefined || past === undefined ? 0 : past - now;
  return fell < 0.02 ? 0 : fell;
}
