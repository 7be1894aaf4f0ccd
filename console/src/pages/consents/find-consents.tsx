import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileCheck } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { FindForm } from '../../components/find-form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Section } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { Proof } from './consent-proof.tsx';
import { Purpose, Said, useEntryColumns } from './entries.tsx';
import { useConsentTexts } from './texts.ts';

export const SEARCH = '/v1/consents/search';

/**
 * Finds the consents of a number or an address. The search is not in the address of the page, because browser histories
 * would store it.
 */
export function FindConsents() {
  const t = useConsentTexts();
  const [subject, setSubject] = useState('');
  const { data, error, isFetching } = useQuery({
    queryKey: ['post', SEARCH, subject],
    queryFn: () => client.POST(SEARCH, { body: { subject } }),
    enabled: subject !== '',
    retry: false,
  });
  return (
    <Card title={t.find}>
      <FindForm label={t.subject} width={320} button={t.search} isFinding={isFetching} onFind={setSubject} />
      {subject !== '' && error !== null && <ErrorNote error={error} />}
      {subject !== '' && data && <FoundConsents subject={subject} found={data} />}
    </Card>
  );
}

function FoundConsents({
  subject,
  found: { standing, consents },
}: {
  readonly subject: string;
  readonly found: Answer<typeof SEARCH, 'POST'>;
}) {
  const t = useConsentTexts();
  const { open } = useDialogs();
  const columns = useEntryColumns();
  const proof = (
    <Action
      icon={FileCheck}
      variant="default"
      onClick={() => open(t.proof, <Proof subject={subject} />, { size: 'lg' })}
    >
      {t.proof}
    </Action>
  );
  return (
    <Stack>
      <div role="status">
        <Section title={t.holds} hint={t.holdsHint}>
          <RowsTable
            caption={t.holds}
            rows={standing}
            rowKey={({ channel, purpose }) => `${channel} ${purpose}`}
            columns={[
              { title: t.channel, rowHeader: true, cell: ({ channel }) => t.channels[channel] },
              { title: t.purpose, cell: ({ purpose }) => <Purpose of={purpose} /> },
              { title: t.action, cell: ({ action }) => <Said action={action} /> },
              { title: t.at, wideOnly: true, cell: ({ at }) => <Time at={at} /> },
            ]}
            empty={t.holdsNone}
          />
        </Section>
      </div>
      {consents.length > 0 && (
        <Section title={t.history} hint={t.historyHint} actions={proof}>
          <RowsTable
            caption={t.history}
            rows={consents}
            rowKey={({ position }) => position}
            columns={columns}
            maxHeight={420}
          />
        </Section>
      )}
    </Stack>
  );
}
