import { Alert, Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert, Upload } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched, Loading } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { ChooseFile } from './choose-file.tsx';
import './import.css';
import { type Header, importIntoList, type Preview, previewFile, type Target } from './import-requests.ts';
import { PreviewTable } from './preview-table.tsx';

const headers: readonly Header[] = ['auto', 'yes', 'no'];

interface List {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** Imports a file into a contact list: choose it, say what its columns are, begin. */
export default function ImportIntoList() {
  const { contacts: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const query = api.useQuery('get', '/v1/contact-lists/{id}', { params: { path: { id } } });
  const [file, setFile] = useState<File>();
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={t.importTitle(list.name)}
          lead={
            <>
              {t.importLead}{' '}
              <Anchor component={Link} href={`/contacts/${list.id}`} underline="always">
                {t.openList}
              </Anchor>
            </>
          }
        >
          {file ? (
            <Columns list={list} file={file} onOther={() => setFile(undefined)} />
          ) : (
            <ChooseFile onChoose={setFile} />
          )}
        </Page>
      )}
    </Fetched>
  );
}

function Columns({
  list,
  file,
  onOther,
}: {
  readonly list: List;
  readonly file: File;
  readonly onOther: () => void;
}) {
  const { contacts: t } = useTexts();
  const [, navigate] = useLocation();
  const [header, setHeader] = useState<Header>('auto');
  const [targets, setTargets] = useState<readonly Target[]>();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const problem = targets && problemOf(targets, t);
  const preview = useQuery({
    queryKey: ['import-preview', list.id, file.name, file.size, file.lastModified, header, targets ?? null],
    queryFn: () => previewFile(list.id, file, { header, targets }),
    enabled: problem === undefined,
    placeholderData: (before: Preview | undefined) => before,
    retry: false,
    gcTime: 0,
  });

  async function start() {
    setSending(true);
    setError(undefined);
    try {
      const id = await importIntoList(list.id, file, { header, targets });
      navigate(`/imports/${id}`);
    } catch (trouble) {
      setError(trouble);
      setSending(false);
    }
  }

  const { data } = preview;
  const bad = data?.rows.filter((row) => row.problem !== null).length ?? 0;
  const undecided = data?.too_many_columns === true && targets === undefined;
  return (
    <Card
      title={t.previewCaption}
      lead={<bdi dir="ltr">{file.name}</bdi>}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={onOther} disabled={sending}>
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
          onChange={(value) => {
            setHeader(value);
            setTargets(undefined);
          }}
          data={headers.map((value) => ({ value, label: t.headerChoices[value] }))}
        />
      </Group>
      {preview.error && <ErrorNote error={preview.error} />}
      {!data && !preview.error && <Loading lines={6} />}
      {data && (
        <Stack>
          {(problem ?? (undecided ? t.tooMany : undefined)) !== undefined && (
            <Alert color="orange" icon={<TriangleAlert />} role="alert">
              {problem ?? t.tooMany}
            </Alert>
          )}
          <PreviewTable
            preview={data}
            fields={list.columns}
            targets={targets ?? data.columns.map(({ target }) => target ?? '')}
            onChange={setTargets}
          />
          {bad > 0 && (
            <Text size="sm" c="dimmed">
              {t.badRows(bad)} {t.rowsLeftOut}
            </Text>
          )}
          {error !== undefined && <ErrorNote error={error} />}
          <Group>
            <Button
              leftSection={<Upload size={16} aria-hidden />}
              loading={sending}
              disabled={problem !== undefined || undecided || Boolean(preview.error)}
              onClick={() => void start()}
            >
              {t.start}
            </Button>
            {sending && (
              <Text size="sm" role="status">
                {t.uploading}
              </Text>
            )}
          </Group>
        </Stack>
      )}
    </Card>
  );
}

function problemOf(
  targets: readonly Target[],
  { noPhone, twice }: { readonly noPhone: string; readonly twice: string },
): string | undefined {
  if (!targets.includes('phone')) return noPhone;
  const taken = targets.filter((target) => target !== '');
  return new Set(taken).size < taken.length ? twice : undefined;
}
