import { Anchor, Button, Group, Text } from '@mantine/core';
import { MailPlus, Mails } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { NewList } from './list-form.tsx';

const ROWS = 50;

/** The mailing lists of an account, with their counts. */
export default function MailLists() {
  const { mailLists: t } = useTexts();
  const { role } = useSession();
  const [making, setMaking] = useState(false);
  const pages = usePages(['mail-lists'], async (after) => {
    // One more than is shown: whether there is a following page.
    const { data } = await client.GET('/v1/mail/lists', {
      params: { query: { limit: ROWS + 1, ...(after !== undefined && { after }) } },
    });
    const rows = data!.lists.slice(0, ROWS);
    return { rows, next: data!.lists.length > ROWS ? rows.at(-1)!.id : null };
  });
  const newList = atLeast(role, 'sender') && (
    <Button leftSection={<MailPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.newList}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={newList}>
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(list) => list.id}
        columns={[
          {
            key: 'name',
            title: t.name,
            cell: (list) => (
              <>
                <Anchor component={Link} href={`/mailing-lists/${list.id}`} fw={600}>
                  <bdi>{list.name}</bdi>
                </Anchor>
                {list.description !== '' && (
                  <Text size="xs" c="dimmed" lineClamp={1} dir="auto" ta="start">
                    {list.description}
                  </Text>
                )}
              </>
            ),
          },
          { key: 'users', title: t.users, align: 'end', cell: (list) => <Count value={list.users} /> },
          { key: 'active', title: t.active, align: 'end', cell: (list) => <Count value={list.active} /> },
          {
            key: 'settings',
            title: t.settings,
            wideOnly: true,
            cell: (list) => (
              <Group gap={6}>
                {list.confirm && <StatusBadge tone="busy">{t.confirms}</StatusBadge>}
                {list.track && <StatusBadge tone="neutral">{t.tracks}</StatusBadge>}
              </Group>
            ),
          },
          {
            key: 'created',
            title: t.created,
            wideOnly: true,
            cell: (list) => <Time at={list.created_at} to="date" />,
          },
        ]}
        empty={
          <Empty icon={Mails} title={t.none} action={newList}>
            {t.noneHint}
          </Empty>
        }
      />
      <NewList opened={making} onClose={() => setMaking(false)} />
    </Page>
  );
}
