import { Plus, Users } from 'lucide-react';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';
import { ListForm } from './contact-list-form.tsx';

const LISTS = '/v1/contact-lists';
const ROWS = 50;

/** The contact lists of an account. */
export default function Lists() {
  const t = useContactTexts();
  const { open } = useDialogs();
  const done = useDone();
  const [, navigate] = useLocation();
  const mayCreate = useMay('sender');
  const pages = useList(LISTS, (answer) => answer.contact_lists, {
    query: { limit: ROWS },
    keyOf: ({ id }) => id,
  });
  const create = async (body: { name: string; columns: string[] }) => {
    const data = await client.POST(LISTS, { body });
    await done(t.made(data.name), LISTS);
    navigate(`/contacts/${data.id}`);
  };
  const newList = mayCreate && (
    <Action icon={Plus} onClick={() => open(t.newList, <ListForm action={t.create} save={create} />)}>
      {t.newList}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={newList}>
      <DataTable
        pages={pages}
        rowKey={(list) => list.id}
        columns={[
          {
            title: t.name,
            cell: (list) => (
              <TextLink href={`/contacts/${list.id}`} fw={600}>
                <bdi>{list.name}</bdi>
              </TextLink>
            ),
          },
          { title: t.count, align: 'end', cell: (list) => <Count value={list.count} /> },
          {
            title: t.fields,
            wideOnly: true,
            cell: (list) => (
              <Muted lineClamp={1}>
                <bdi>{list.columns.filter((name) => name !== '').join(' · ') || '–'}</bdi>
              </Muted>
            ),
          },
          { title: t.created, wideOnly: true, cell: (list) => <Time at={list.created_at} to="date" /> },
        ]}
        empty={<Empty icon={Users} title={t.none} action={newList} hint={t.noneHint} />}
      />
    </Page>
  );
}
