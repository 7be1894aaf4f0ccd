import { useState } from 'react';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text.tsx';
import { ChooseFile } from '../../features/imports/choose-file.tsx';
import { type Header, ImportCard } from '../../features/imports/import-card.tsx';
import { importIntoBlacklist } from '../../features/imports/import-requests.ts';
import '../../features/imports/import.css';
import { useContactTexts } from '../../features/imports/texts.ts';

/** Imports a file of numbers into the blacklist. */
export default function ImportIntoBlacklist() {
  const t = useContactTexts();
  const [file, setFile] = useState<File>();
  const [header, setHeader] = useState<Header>('auto');
  return (
    <Page
      title={t.blacklistImportTitle}
      lead={
        <>
          {t.blacklistImportLead}{' '}
          <TextLink href="/blacklist" underline="always">
            {t.openBlacklist}
          </TextLink>
        </>
      }
    >
      {file === undefined ? (
        <ChooseFile onChoose={setFile} />
      ) : (
        <ImportCard
          title={file.name}
          header={header}
          onHeader={setHeader}
          start={async () => `/imports/${await importIntoBlacklist(file, header)}`}
          onOther={() => setFile(undefined)}
        />
      )}
    </Page>
  );
}
