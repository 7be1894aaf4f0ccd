import { Alert, Progress, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { showNotice } from '../../components/notices.ts';
import { ErrorNote } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { ChooseFile } from '../../features/imports/choose-file.tsx';
import { importIntoContactList } from '../../features/imports/import-requests.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import '../../features/imports/import.css';

const MAX_NAME = 100;
const REFETCH_MS = 500;

interface Running {
  readonly list: string;
  readonly id: string;
  readonly name: string;
}

/**
 * Takes a CSV file as recipients. It becomes a contact list, of any size: its rows are read by the service, in the
 * background, and their fields can be used in the text.
 */
export function FromFile({ onImported }: { readonly onImported: (list: string) => void }) {
  const { send: t } = useTexts();
  const [running, setRunning] = useState<Running>();
  const [error, setError] = useState<unknown>();

  async function start(file: File) {
    setError(undefined);
    try {
      const name = t.fileName(file.name).slice(0, MAX_NAME);
      const data = await client.POST('/v1/contact-lists', { body: { name } });
      const id = await importIntoContactList(data.id, file, { header: 'auto' });
      setRunning({ list: data.id, id, name: file.name });
    } catch (problem) {
      setError(problem);
    }
  }

  return (
    <Stack gap="sm">
      {running ? (
        <Importing
          key={running.id}
          running={running}
          onDone={() => onImported(running.list)}
          onFailed={(problem) => {
            setRunning(undefined);
            setError(problem);
          }}
        />
      ) : (
        <>
          <Muted>{t.fileHint}</Muted>
          <ChooseFile onChoose={(file) => void start(file)} />
        </>
      )}
      <ErrorNote error={error} />
    </Stack>
  );
}

function Importing({
  running,
  onDone,
  onFailed,
}: {
  readonly running: Running;
  readonly onDone: () => void;
  readonly onFailed: (problem: unknown) => void;
}) {
  const { send: t } = useTexts();
  const language = useLanguage();
  const refresh = useRefresh();
  const { data, error } = useAnswer('/v1/imports/{id}', byId(running.id), {
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : REFETCH_MS),
  });
  const state = data?.finished_at ? data.state : undefined;
  const usable = (data?.added ?? 0) > 0;
  const refused = data?.refused ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it has ended, once
  useEffect(() => {
    if (error) onFailed(error);
    if (state === undefined) return;
    void refresh('/v1/contact-lists');
    if (state !== 'done' || !usable) return;
    showNotice({
      message: `${t.imported(data!.added.toLocaleString(language))}${
        refused > 0 ? ` ${t.refused(refused.toLocaleString(language))}` : ''
      }`,
    });
    onDone();
  }, [state, error]);
  if (state !== undefined && (state !== 'done' || !usable)) {
    return (
      <Alert color="orange" icon={<TriangleAlert />} role="alert">
        {data?.problem ?? t.fileEmpty}{' '}
        <TextLink href={`/imports/${running.id}`} size="sm">
          {t.refusedLink}
        </TextLink>
      </Alert>
    );
  }
  return (
    <div role="status">
      <Text size="sm" mb={6}>
        {t.importing(running.name)}
      </Text>
      <Progress
        value={data ? (data.bytes_done * 100) / Math.max(1, data.bytes) : 0}
        animated
        aria-label={t.importing(running.name)}
      />
    </div>
  );
}
