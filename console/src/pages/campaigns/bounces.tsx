import { SegmentedControl } from '@mantine/core';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/paging.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states.tsx';
import { Address, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import '../../features/campaigns/campaign-look.css';

const ROWS = 25;
const kinds = ['hard', 'soft', 'complaint', 'removal'] as const;
type Kind = (typeof kinds)[number];

/** Bounces, complaints and removals of a campaign. `refetchMs` as of `usePages`. */
export function Bounces({ id, refetchMs }: { readonly id: string; readonly refetchMs: number }) {
  const { mailCampaigns: t } = useTexts();
  const [kind, setKind] = useState<Kind>('hard');
  const pages = useList('/v1/mail/campaigns/{id}/returns', ({ returns }) => returns, {
    path: { id },
    query: { kind, limit: ROWS },
    refetchMs,
  });
  return (
    <Card title={t.returns} lead={t.returnHints[kind]}>
      <SegmentedControl
        aria-label={t.kind}
        value={kind}
        onChange={setKind}
        data={kinds.map((value) => ({ value, label: t.returnKinds[value] }))}
        className="mail-kinds"
      />
      <DataTable
        caption={t.returnKinds[kind]}
        pages={pages}
        rowKey={(row) => row.address}
        columns={[
          { title: t.address, onPhone: 'title', cell: ({ address }) => <Address url={address} /> },
          {
            title: t.code,
            onPhone: 'text',
            cell: ({ code }) => t.reasons[code] ?? <bdi dir="ltr">{code}</bdi>,
          },
          { title: t.at, onPhone: 'end', cell: ({ at }) => <Time at={at} to="second" /> },
        ]}
        empty={<Empty icon={Inbox} title={t.noReturns} hint={t.noReturnsHint} />}
      />
    </Card>
  );
}
