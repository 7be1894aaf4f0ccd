import { Plus, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Download } from '../../components/download.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Section } from '../../components/text.tsx';
import { CheckLog } from './check-log.tsx';
import { useEntryColumns } from './entries.tsx';
import { FindConsents } from './find-consents.tsx';
import { RecordForm } from './record-form.tsx';
import { useConsentTexts } from './texts.ts';

const ROWS = 20;

/** The consent log: search for a person's consents, and all recorded entries. */
export default function Consents() {
  const t = useConsentTexts();
  const { open } = useDialogs();
  const [isChecked, setChecked] = useState(false);
  const record = (
    <Action icon={Plus} onClick={() => open(t.recordTitle, <RecordForm />, { size: 'lg' })}>
      {t.record}
    </Action>
  );
  return (
    <Page
      lead={t.lead}
      actions={
        <>
          <Action icon={ScrollText} variant="default" onClick={() => setChecked(true)} disabled={isChecked}>
            {t.check}
          </Action>
          <Download path="/v1/consents/export">{t.export}</Download>
          {record}
        </>
      }
    >
      {isChecked && <CheckLog onClose={() => setChecked(false)} />}
      <FindConsents />
      <Log />
    </Page>
  );
}

function Log() {
  const t = useConsentTexts();
  const columns = useEntryColumns();
  const pages = useList('/v1/consents', ({ consents }) => consents, { query: { limit: ROWS } });
  return (
    <Section title={t.log}>
      <DataTable
        caption={t.log}
        pages={pages}
        rowKey={({ position }) => position}
        columns={columns}
        empty={<Empty icon={ScrollText} title={t.logNone} hint={t.logNoneHint} />}
      />
    </Section>
  );
}
