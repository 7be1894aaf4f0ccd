import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched, Loading } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { ChooseFile } from '../../features/imports/choose-file.tsx';
import type { ConsentChoice } from '../../features/imports/consent-choice.ts';
import { ConsentFields } from '../../features/imports/consent-fields.tsx';
import { type ExistingRows, ExistingRowsField } from '../../features/imports/existing-rows.tsx';
import { FileTable } from '../../features/imports/file-table.tsx';
import { FileProblem, type Header, hasTwice, ImportCard } from '../../features/imports/import-card.tsx';
import { importIntoList, type Preview, previewFile } from '../../features/imports/import-requests.ts';
import '../../features/imports/import.css';
import { useContactTexts } from '../../features/imports/texts.ts';

const FIELDS = [1, 2, 3, 4, 5, 6];

type List = Answer<'/v1/contact-lists/{id}'>;

/** Imports a file into a contact list: choose the file, map its columns, start. */
export default function ImportIntoList() {
  const t = useContactTexts();
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/contact-lists/{id}', byId(id));
  const [file, setFile] = useState<File>();
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={t.importTitle(list.name)}
          lead={
            <>
              {t.importLead}{' '}
              <TextLink href={`/contacts/${list.id}`} underline="always">
                {t.openList}
              </TextLink>
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
  const t = useContactTexts();
  const [header, setHeader] = useState<Header>('auto');
  const [targets, setTargets] = useState<readonly string[]>();
  const [existing, setExisting] = useState<ExistingRows>('update');
  const [consent, setConsent] = useState<ConsentChoice>();
  const wrong =
    targets && (targets.includes('phone') ? (hasTwice(targets) ? t.twice : undefined) : t.noPhone);
  const { data, error } = useQuery({
    queryKey: ['import-preview', list.id, file.name, file.size, file.lastModified, header, targets ?? null],
    queryFn: () => previewFile(list.id, file, { header, targets }),
    enabled: wrong === undefined,
    placeholderData: (before: Preview | undefined) => before,
    retry: false,
    gcTime: 0,
  });
  const problem = wrong ?? (data?.too_many_columns && targets === undefined ? t.tooMany : undefined);
  return (
    <ImportCard
      title={t.previewCaption}
      lead={<bdi dir="ltr">{file.name}</bdi>}
      header={header}
      onHeader={(value) => {
        setHeader(value);
        setTargets(undefined);
      }}
      ready={data !== undefined}
      disabled={problem !== undefined || Boolean(error)}
      start={async () =>
        `/imports/${await importIntoList(list.id, file, { header, targets, existing }, consent)}`
      }
      onOther={onOther}
    >
      <ErrorNote error={error} />
      {!data && !error && <Loading lines={6} />}
      {data && (
        <Stack>
          {problem !== undefined && <FileProblem>{problem}</FileProblem>}
          <ReadFile preview={data} fields={list.columns} targets={targets} onChange={setTargets} />
          <ExistingRowsField value={existing} onChange={setExisting} />
          <ConsentFields
            value={consent}
            onChange={setConsent}
            channels={['sms', 'voice', 'chat', 'any']}
            columns={data.columns.map(({ name }, index) => name || t.column(index + 1))}
          />
        </Stack>
      )}
    </ImportCard>
  );
}

/** Preview of a file as the service parses it. */
function ReadFile({
  preview,
  fields,
  targets,
  onChange,
}: {
  readonly preview: Preview;
  /** The names of the list's fields. */
  readonly fields: readonly string[];
  readonly targets: readonly string[] | undefined;
  readonly onChange: (targets: readonly string[]) => void;
}) {
  const t = useContactTexts();
  const choices = [
    { value: 'phone', label: t.targetPhone },
    ...FIELDS.map((field) => ({
      value: String(field),
      label: fields[field - 1] ? `${t.field(field)}: ${fields[field - 1]}` : t.field(field),
    })),
    { value: '', label: t.targetNone },
  ];
  return (
    <FileTable
      columns={preview.columns.map(({ name, target }, index) => ({
        name: name || t.column(index + 1),
        target: targets?.[index] ?? target ?? '',
        choices,
      }))}
      rows={preview.rows.map(({ line, fields: cells, problem }) => ({ line, cells, problem }))}
      onChange={onChange}
    />
  );
}
