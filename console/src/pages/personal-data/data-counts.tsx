import { kindsOfData } from '../../../../server/modules/personal-data/kinds.ts';
import type { Answer } from '../../api/operations.ts';
import { RowsTable } from '../../components/data-table.tsx';
import { Muted } from '../../components/text.tsx';
import { Count } from '../../components/values.tsx';
import { usePersonalDataTexts } from './texts.ts';

type Counts = Answer<'/v1/data-subjects/requests/{id}'>['counts'];
type Kind = Counts[number]['kind'];

/** How many rows of each kind; with `withEffects` also what an erasure does to them. */
export function CountsTable({
  caption,
  counts,
  withEffects = false,
  empty,
}: {
  readonly caption: string;
  readonly counts: Counts;
  readonly withEffects?: boolean;
  readonly empty: string;
}) {
  const t = usePersonalDataTexts();
  const effectOn = (kind: Kind) => t.effects[kindsOfData[kind].erasure];
  return (
    <RowsTable
      caption={caption}
      rows={counts}
      rowKey={({ kind }) => kind}
      columns={[
        {
          title: t.kind,
          rowHeader: true,
          onPhone: 'title',
          cell: ({ kind }) => t.kinds[kind],
        },
        {
          title: t.count,
          align: 'end',
          width: 110,
          onPhone: 'end',
          cell: ({ count }) => <Count value={count} />,
        },
        withEffects && {
          title: t.onErasure,
          onPhone: 'text',
          cell: ({ kind }) => <Muted>{effectOn(kind)}</Muted>,
        },
      ]}
      empty={empty}
    />
  );
}
