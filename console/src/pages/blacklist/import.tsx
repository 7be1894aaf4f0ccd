import { Anchor, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { ChooseFile } from '../contacts/choose-file.tsx';
import '../contacts/import.css';
import { type Header, importIntoBlacklist } from '../contacts/import-requests.ts';

const headers: readonly Header[] = ['auto', 'yes', 'no'];

/** Imports a file of numbers into the blacklist. */
export default function ImportIntoBlacklist() {
  const { contacts: t } = useTexts();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File>();
  const [header, setHeader] = useState<Header>('auto');
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();

  async function start(chosen: File) {
    setSending(true);
    setError(undefined);
    try {
      navigate(`/imports/${await importIntoBlacklist(chosen, header)}`);
    } catch (trouble) {
      setError(trouble);
      setSending(false);
    }
  }

  return (
    <Page
      title={t.blacklistImportTitle}
      lead={
        <>
          {t.blacklistImportLead}{' '}
          <Anchor component={Link} href="/blacklist" underline="always">
            {t.openBlacklist}
          </Anchor>
        </>
      }
    >
      {file === undefined ? (
        <ChooseFile onChoose={setFile} />
      ) : (
        <Card
          title={file.name}
          actions={
            <Button variant="subtle" size="compact-sm" onClick={() => setFile(undefined)} disabled={sending}>
              {t.otherFile}
            </Button>
          }
        >
          <Group gap="sm">
            <Text size="sm" id="header-row">
              {t.headerRow}
            </Text>
            <SegmentedControl
              size="xs"
              aria-labelledby="header-row"
              value={header}
              onChange={setHeader}
              data={headers.map((value) => ({ value, label: t.headerChoices[value] }))}
            />
          </Group>
          {error !== undefined && <ErrorNote error={error} />}
          <Group>
            <Button
              leftSection={<Upload size={16} aria-hidden />}
              loading={sending}
              onClick={() => void start(file)}
            >
              {t.start}
            </Button>
            {sending && (
              <Text size="sm" role="status">
                {t.uploading}
              </Text>
            )}
          </Group>
        </Card>
      )}
    </Page>
  );
}
