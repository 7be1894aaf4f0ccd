import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { ChooseFile } from '../../features/imports/choose-file.tsx';
import { type ConsentChoice, consentQuery } from '../../features/imports/consent-choice.ts';
import { ConsentFields } from '../../features/imports/consent-fields.tsx';
import { type ExistingRows, ExistingRowsField } from '../../features/imports/existing-rows.tsx';
import { FileTable } from '../../features/imports/file-table.tsx';
import { FileProblem, hasTwice, ImportCard } from '../../features/imports/import-card.tsx';
import type { Dictionary } from '../../i18n/en.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { fieldTarget, guessTargets, problemOf, readSample, type Sample, type Target } from './csv-sample.ts';
import type { MailList } from './user-states.ts';
import '../../features/imports/import.css';
import { useContactTexts } from '../../features/imports/texts.ts';

const standard = ['email', 'first_name', 'last_name', 'cellphone'] as const;

/** Imports a file into a mailing list: choose the file, map its columns, start. */
export default function ImportIntoMailList() {
  const contacts = useContactTexts();
  const { mailLists: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/mail/lists/{id}', byId(id));
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
              <TextLink href={`/mailing-lists/${list.id}`} underline="always">
                {contacts.openList}
              </TextLink>
            </>
          }
        >
          {sample.data === null && <FileProblem color="red">{t.unreadable}</FileProblem>}
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
  const contacts = useContactTexts();
  const { mailLists: t } = useTexts();
  const [named, setNamed] = useState(sample.looksNamed);
  const [chosen, setChosen] = useState<readonly Target[]>();
  const [existing, setExisting] = useState<ExistingRows>('update');
  const [consent, setConsent] = useState<ConsentChoice>();
  const targets = chosen ?? guessTargets(sample, named);
  const problem = targets.includes('email') ? (hasTwice(targets) ? contacts.twice : undefined) : t.noEmail;
  const first = named ? 1 : 0;
  const columns = targets.map((target, index) => {
    const name = (named && sample.rows[0]?.[index]) || contacts.column(index + 1);
    return { name, target, choices: choicesFor([...new Set([name, ...list.columns])], t) };
  });

  async function start() {
    const data = await client.POST('/v1/mail/lists/{id}/import', {
      path: { id: list.id },
      query: {
        header: named ? 'yes' : 'no',
        columns: targets.join(','),
        existing,
        ...consentQuery(consent, file),
      },
      body: file,
    });
    return `/mailing-lists/${list.id}/imports/${data.id}`;
  }

  return (
    <ImportCard
      title={contacts.previewCaption}
      lead={<bdi dir="ltr">{file.name}</bdi>}
      headers={['yes', 'no']}
      header={named ? 'yes' : 'no'}
      onHeader={(value) => {
        setNamed(value === 'yes');
        setChosen(undefined);
      }}
      disabled={problem !== undefined}
      start={start}
      onOther={onOther}
    >
      {problem !== undefined && <FileProblem>{problem}</FileProblem>}
      <FileTable
        columns={columns}
        rows={sample.rows.slice(first).map((cells, place) => ({
          line: place + first + 1,
          cells,
          problem: targets.includes('email') ? problemOf(cells, targets) : null,
        }))}
        onChange={setChosen}
      />
      <ExistingRowsField value={existing} onChange={setExisting} />
      <ConsentFields
        value={consent}
        onChange={setConsent}
        channels={['mail', 'any']}
        columns={columns.map(({ name }) => name)}
      />
    </ImportCard>
  );
}

/** Possible targets of a column. */
const choicesFor = (fields: readonly string[], t: Dictionary['mailLists']) => [
  ...standard.map((value) => ({ value, label: t.targets[value] })),
  ...fields.map((name) => ({ value: fieldTarget(name), label: t.targetField(name) })),
  { value: '', label: t.targets.none },
];
