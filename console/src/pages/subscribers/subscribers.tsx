import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { atLeast } from '../../../../server/api/access/roles.ts';
import { useList } from '../../api/paging.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { AddForm } from './add-subscriber.tsx';
import { SUBSCRIBERS, SubscriberState } from './subscriber.tsx';
import { SubscriberActions } from './subscriber-actions.tsx';
import { useSubscriberTexts } from './texts.ts';

const ROWS = 50;

/** The accounts under the account, with their balances. */
export default function Subscribers() {
  const t = useSubscriberTexts();
  const { role, acting } = useSession();
  // An owner who works as a subscriber of theirs: there is nothing below that.
  if (acting && role !== 'operator') {
    return (
      <Page>
        <Empty hint={t.notHere} />
      </Page>
    );
  }
  return <OfAccount mayChange={atLeast(role, 'owner')} />;
}

function OfAccount({ mayChange }: { readonly mayChange: boolean }) {
  const t = useSubscriberTexts();
  const { common } = useTexts();
  const [search, setSearch] = useState('');
  const { open } = useDialogs();
  const pages = useList(SUBSCRIBERS, ({ subscribers }) => subscribers, { query: { limit: ROWS, search } });
  const add = (
    <Action icon={UserPlus} onClick={() => open(t.add, <AddForm />)}>
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={mayChange && add}>
      <SearchField label={t.search} onSearch={setSearch} w={{ base: '100%', xs: 340 }} />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.name,
            cell: (row) => (
              <Named href={`/subscribers/${row.id}`} name={<bdi>{row.name}</bdi>}>
                <bdi dir="ltr">{row.username}</bdi>
              </Named>
            ),
          },
          { title: t.state, cell: (row) => <SubscriberState subscriber={row} />, wideOnly: true },
          { title: t.since, cell: (row) => <Time at={row.created_at} to="date" />, wideOnly: true },
          { title: common.inCredits(t.balance), align: 'end', cell: (row) => <Amount value={row.balance} /> },
          mayChange && {
            title: '',
            align: 'end',
            width: 56,
            cell: (row) => <SubscriberActions subscriber={row} />,
          },
        ]}
        empty={
          <Empty
            filters={{ any: search !== '' }}
            title={t.none}
            action={mayChange && add}
            hint={t.noneHint}
          />
        }
      />
    </Page>
  );
}
