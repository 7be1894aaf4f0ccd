import { Anchor, Button, Text } from '@mantine/core';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { FindNumber } from './find-number.tsx';
import { NewList } from './list-form.tsx';

const ROWS = 50;

/** The contact lists of an account. */
export default function Lists() {
  const { contacts: t } = useTexts();
  const { role } = useSession();
  const [making, setMaking] = useState(false);
  const pages = usePages(['contact-lists'], async (after) => {
    // One more than is shown: whether there is a following page.
    const { data } = await client.GET('/v1/contact-lists', {
      params: { query: { limit: ROWS + 1, ...(after !== undefined && { after }) } },
    });
    const rows = data!.contact_lists.slice(0, ROWS);
    return { rows, next: data!.contact_lists.length > ROWS ? rows.at(-1)!.id : null };
  });
  const newList = atLeast(role, 'sender') && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.newList}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={newList}>
      <FindNumber />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(list) => list.id}
        columns={[
          {
            key: 'name',
            title: t.name,
            cell: (list) => (
              <Anchor component={Link} href={`/contacts/${list.id}`} fw={600}>
                <bdi>{list.name}</bdi>
              </Anchor>
            ),
          },
          { key: 'count', title: t.count, align: 'end', cell: (list) => <Count value={list.count} /> },
          {
            key: 'fields',
            title: t.fields,
            wideOnly: true,
            cell: (list) => (
              <Text size="sm" c="dimmed" lineClamp={1}>
                <bdi>{list.columns.filter((name) => name !== '').join(' · ') || '–'}</bdi>
              </Text>
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
          <Empty icon={Users} title={t.none} action={newList}>
            {t.noneHint}
          </Empty>
        }
      />
      <NewList opened={making} onClose={() => setMaking(false)} />
    </Page>
  );
}
