import { Stack } from '@mantine/core';
import { FileLock2 } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/paging.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Section } from '../../components/text.tsx';
import { FindPerson } from './find-person.tsx';
import { type Found, FoundPerson } from './found-person.tsx';
import { useRequestColumns } from './request-columns.tsx';
import { usePersonalDataTexts } from './texts.ts';

const ROWS = 20;
const REFRESH_MS = 10_000;

/** Finds, exports and erases the stored data of one person. */
export default function PersonalData() {
  const t = usePersonalDataTexts();
  // Not in the address of the page, because browser histories and logs would store the number.
  const [found, setFound] = useState<Found>();
  return (
    <Page lead={t.lead}>
      <Stack gap="lg">
        <FindPerson onFound={setFound} />
        {found && <FoundPerson found={found} />}
        <Requests />
      </Stack>
    </Page>
  );
}

function Requests() {
  const t = usePersonalDataTexts();
  const columns = useRequestColumns();
  const pages = useList('/v1/data-subjects/requests', ({ requests }) => requests, {
    query: { limit: ROWS },
    refetchMs: REFRESH_MS,
  });
  return (
    <Section title={t.requests} hint={t.requestsHint}>
      <DataTable
        caption={t.requests}
        pages={pages}
        rowKey={({ id }) => id}
        columns={columns}
        empty={<Empty icon={FileLock2} title={t.requestsNone} />}
      />
    </Section>
  );
}
