import { Alert, Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert, Upload } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { ChooseFile } from '../contacts/choose-file.tsx';
import '../contacts/import.css';
import { asFile } from '../contacts/import-requests.ts';
import { ColumnsTable } from './columns-table.tsx';
import { guessTargets, readSample, type Sample, type Target } from './csv-sample.ts';
import type { MailList } from './user-states.ts';

/** Imports a file into a mailing list: choose it, say what its columns are, begin. */
export default function ImportIntoMailList() {
  const { mailLists: t, contacts } = useTexts();
  const { id } = useParams<{ id: string }>();
  const query = api.useQuery('get', '/v1/mail/lists/{id}', { params: { path: { id } } });
  const [file, setFile] = useState<File>();
  const sample = useQuery({
    queryKey: ['mail-import-sample', file?.name, file?.size, file?.lastModified],
    queryFn: async () => (await readSample(file!)) ?? null,
    enabled: file !== undefined,
    gcTime: 0,
  });
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={t.importTitle(list.name)}
          lead={
            <>
              {t.importLead}{' '}
              <Anchor component={Link} href={`/mailing-lists/${list.id}`} underline="always">
                {contacts.openList}
              </Anchor>
            </>
          }
        >
          {sample.data === null && (
            <Alert color="red" icon={<TriangleAlert />} role="alert">
              {t.unreadable}
            </Alert>
          )}
          {file && sample.data ? (
            <Columns list={list} file={file} sample={sample.data} onOther={() => setFile(undefined)} />
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
  sample,
  onOther,
}: {
  readonly list: MailList;
  readonly file: File;
  readonly sample: Sample;
  readonly onOther: () => void;
}) {
  const { mailLists: t, contacts } = useTexts();
  const [, navigate] = useLocation();
  const [named, setNamed] = useState(sample.looksNamed);
  const [chosen, setChosen] = useState<readonly Target[]>();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const targets = chosen ?? guessTargets(sample, named);
  const taken = targets.filter((target) => target !== '');
  const problem = !targets.includes('email')
    ? t.noEmail
    : new Set(taken).size < taken.length
      ? contacts.twice
      : undefined;

  async function start() {
    setSending(true);
    setError(undefined);
    try {
      const { data } = await client.POST('/v1/mail/lists/{id}/import', {
        params: {
          path: { id: list.id },
          query: { header: named ? 'yes' : 'no', columns: targets.join(',') },
        },
        ...asFile(file),
      });
      navigate(`/mailing-lists/${list.id}/imports/${data!.id}`);
    } catch (trouble) {
      setError(trouble);
      setSending(false);
    }
  }

  return (
    <Card
      title={contacts.previewCaption}
      lead={<bdi dir="ltr">{file.name}</bdi>}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={onOther} disabled={sending}>
          {contacts.otherFile}
        </Button>
      }
    >
      <Group gap="sm">
        <Text size="sm" id="header-row">
          {contacts.headerRow}
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="header-row"
          value={named ? 'yes' : 'no'}
          onChange={(value) => {
            setNamed(value === 'yes');
            setChosen(undefined);
          }}
          data={(['yes', 'no'] as const).map((value) => ({ value, label: contacts.headerChoices[value] }))}
        />
      </Group>
      <Stack>
        {problem !== undefined && (
          <Alert color="orange" icon={<TriangleAlert />} role="alert">
            {problem}
          </Alert>
        )}
        <ColumnsTable
          rows={sample.rows}
          named={named}
          fields={list.columns}
          targets={targets}
          onChange={setChosen}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Group>
          <Button
            leftSection={<Upload size={16} aria-hidden />}
            loading={sending}
            disabled={problem !== undefined}
            onClick={() => void start()}
          >
            {contacts.start}
          </Button>
          {sending && (
            <Text size="sm" role="status">
              {contacts.uploading}
            </Text>
          )}
        </Group>
      </Stack>
    </Card>
  );
}
