import { Group } from '@mantine/core';
import { MailPlus, Mails } from 'lucide-react';
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
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ListForm } from './mailing-list-form.tsx';

const LISTS = '/v1/mail/lists';
const ROWS = 50;

/** The mailing lists of an account, with their counts. */
export default function MailLists() {
  const { mailLists: t } = useTexts();
  const { open } = useDialogs();
  const done = useDone();
  const [, navigate] = useLocation();
  const mayCreate = useMay('sender');
  const pages = useList(LISTS, ({ lists }) => lists, { query: { limit: ROWS }, keyOf: ({ id }) => id });
  const create: Parameters<typeof ListForm>[0]['save'] = async (body) => {
    const data = await client.POST(LISTS, { body });
    await done(t.made(data.name), LISTS);
    navigate(`/mailing-lists/${data.id}`);
  };
  const newList = mayCreate && (
    <Action icon={MailPlus} onClick={() => open(t.newList, <ListForm action={t.create} save={create} />)}>
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
              <>
                <TextLink href={`/mailing-lists/${list.id}`} fw={600}>
                  <bdi>{list.name}</bdi>
                </TextLink>
                {list.description !== '' && (
                  <Muted size="xs" lineClamp={1} dir="auto" ta="start">
                    {list.description}
                  </Muted>
                )}
              </>
            ),
          },
          { title: t.users, align: 'end', cell: (list) => <Count value={list.users} /> },
          { title: t.active, align: 'end', cell: (list) => <Count value={list.active} /> },
          {
            title: t.settings,
            wideOnly: true,
            cell: (list) => (
              <Group gap={6}>
                {list.confirm && <StatusBadge tone="busy">{t.confirms}</StatusBadge>}
                {list.track && <StatusBadge tone="neutral">{t.tracks}</StatusBadge>}
              </Group>
            ),
          },
          { title: t.created, wideOnly: true, cell: (list) => <Time at={list.created_at} to="date" /> },
        ]}
        empty={<Empty icon={Mails} title={t.none} action={newList} hint={t.noneHint} />}
      />
    </Page>
  );
}
