import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useParams } from 'wouter';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { ChooseFile } from '../../features/imports/choose-file.tsx';
import { ANY, type ConsentChannel, type ConsentChoice } from '../../features/imports/consent-choice.ts';
import { ConsentFields } from '../../features/imports/consent-fields.tsx';
import { type ExistingRows, ExistingRowsField } from '../../features/imports/existing-rows.tsx';
import { type Effect, FileTable } from '../../features/imports/file-table.tsx';
import { FileProblem, type Header, hasTwice, ImportCard } from '../../features/imports/import-card.tsx';
import { type Preview, previewFile } from '../../features/imports/import-requests.ts';
import '../../features/imports/import.css';
import { useContactTexts } from '../../features/imports/texts.ts';
import {
  type Destination,
  ListChoice,
  lacksName,
  newList,
  nowhere,
  useContactLists,
  useMailLists,
} from './import-lists.tsx';
import { contactChannels, importPeople, mailChannels, type Progress } from './import-people.ts';

const PHONE = 'phone';
const EMAIL = 'email';
const FIELD = 'field:';
const standard = [PHONE, EMAIL, 'first_name', 'last_name'] as const;

/**
 * Imports a file of people into a contact list, a mailing list, or both: choose the file, map its columns, start. The address may
 * name one of the lists.
 */
export default function ImportPeople() {
  const t = useContactTexts();
  const { contactList, mailList } = useParams<{ contactList?: string; mailList?: string }>();
  const [file, setFile] = useState<File>();
  const list = contactList === undefined ? `/mailing-lists/${mailList}` : `/contacts/${contactList}`;
  const isFree = contactList === undefined && mailList === undefined;
  return (
    <Page
      title={t.importPeople}
      back={isFree ? '/recipients' : contactList === undefined ? '/mailing-lists' : '/contacts'}
      lead={
        <>
          {t.importPeopleLead}{' '}
          {!isFree && (
            <TextLink href={list} underline="always">
              {t.openList}
            </TextLink>
          )}
        </>
      }
    >
      {file ? (
        <Columns
          file={file}
          contacts={contactList === undefined ? undefined : { kind: 'list', id: contactList }}
          mail={mailList === undefined ? undefined : { kind: 'list', id: mailList }}
          onOther={() => setFile(undefined)}
        />
      ) : (
        <ChooseFile onChoose={setFile} />
      )}
    </Page>
  );
}

/** The list of each kind that a file goes to; undefined before one is chosen. */
interface Chosen {
  readonly contacts: Destination | undefined;
  readonly mail: Destination | undefined;
}

/** Which list of each kind a file goes to: the chosen ones, else new ones for what the file has. */
function destinationsOf(file: File, chosen: Chosen, isFree: boolean, preview: Preview | undefined) {
  const has = { contacts: preview?.contact_columns != null, mail: preview?.mail_columns != null };
  const preset = isFree ? newList(file) : nowhere;
  const of = (kind: keyof Chosen) => (has[kind] ? (chosen[kind] ?? preset) : nowhere);
  return { has, contacts: of('contacts'), mail: of('mail') };
}

const idOf = (to: Destination | undefined) => (to?.kind === 'list' ? to.id : undefined);

function Columns({
  file,
  onOther,
  ...given
}: Chosen & {
  readonly file: File;
  readonly onOther: () => void;
}) {
  const t = useContactTexts();
  const [header, setHeader] = useState<Header>('auto');
  const [targets, setTargets] = useState<readonly string[]>();
  const [existing, setExisting] = useState<ExistingRows>('update');
  const [consent, setConsent] = useState<ConsentChoice>();
  const progress = useRef<Progress>({});
  const [chosen, setChosen] = useState<Chosen>(given);
  const isTwice = targets !== undefined && hasTwice(targets);
  const query = {
    header,
    columns: targets?.join(','),
    contact_list: idOf(chosen.contacts),
    mailing_list: idOf(chosen.mail),
  };
  const { data, error } = useQuery({
    queryKey: ['import-preview', file.name, file.size, file.lastModified, query],
    queryFn: () => previewFile(file, query),
    enabled: !isTwice,
    placeholderData: (before: Preview | undefined) => before,
    retry: false,
    gcTime: 0,
  });
  const isFree = given.contacts === undefined && given.mail === undefined;
  const { has, contacts, mail } = destinationsOf(file, chosen, isFree, data);
  const change = (kind: keyof Chosen, to: Destination) => {
    setChosen({ ...chosen, [kind]: to });
    progress.current = {};
  };
  const problem = problemOf({ isTwice, has, contacts, mail }, t);
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
      start={() =>
        importPeople(
          {
            ...{ file, contacts, mail, existing, consent },
            named: data!.named,
            contactColumns: data!.contact_columns ?? '',
            mailColumns: data!.mail_columns ?? '',
          },
          progress.current,
        )
      }
      onOther={onOther}
    >
      <ErrorNote error={error} />
      {!data && !error && <Loading lines={6} />}
      {data && (
        <Stack>
          {problem !== undefined && <FileProblem>{problem}</FileProblem>}
          <Lists has={has} contacts={contacts} mail={mail} onChange={change} />
          <ReadFile
            preview={data}
            targets={targets}
            existing={existing}
            contacts={contacts}
            mail={mail}
            onChange={setTargets}
          />
          <ExistingRowsField value={existing} onChange={setExisting} />
          <ConsentFields
            value={consent}
            onChange={setConsent}
            channels={channelsFor(contacts, mail)}
            columns={data.columns.map(({ name }, index) => name || t.column(index + 1))}
          />
        </Stack>
      )}
    </ImportCard>
  );
}

type Has = ReturnType<typeof destinationsOf>['has'];

/** Why the file cannot be imported yet. */
function problemOf(
  {
    isTwice,
    has,
    contacts,
    mail,
  }: {
    readonly isTwice: boolean;
    readonly has: Has;
    readonly contacts: Destination;
    readonly mail: Destination;
  },
  t: ReturnType<typeof useContactTexts>,
): string | undefined {
  if (isTwice) return t.twice;
  if (!has.contacts && !has.mail) return t.noPerson;
  if (contacts.kind === 'none' && mail.kind === 'none') return t.chooseList;
  return lacksName(contacts) || lacksName(mail) ? t.nameList : undefined;
}

function channelsFor(contacts: Destination, mail: Destination): [ConsentChannel, ...ConsentChannel[]] {
  const channels = [
    ...(contacts.kind === 'none' ? [] : contactChannels),
    ...(mail.kind === 'none' ? [] : mailChannels),
    ANY,
  ] as const;
  return [channels[0]!, ...channels.slice(1)];
}

/** The lists that the file goes to, for what it has. */
function Lists({
  has,
  contacts,
  mail,
  onChange,
}: {
  readonly has: Has;
  readonly contacts: Destination;
  readonly mail: Destination;
  readonly onChange: (kind: keyof Chosen, to: Destination) => void;
}) {
  const t = useContactTexts();
  const contactLists = useContactLists().data ?? [];
  const mailLists = useMailLists().data ?? [];
  return (
    <>
      {has.contacts && (
        <ListChoice
          label={t.contactList}
          hint={t.contactListHint}
          lists={contactLists}
          value={contacts}
          onChange={(to) => onChange('contacts', to)}
        />
      )}
      {has.mail && (
        <ListChoice
          label={t.mailList}
          hint={t.mailListHint}
          lists={mailLists}
          value={mail}
          onChange={(to) => onChange('mail', to)}
        />
      )}
    </>
  );
}

/** Preview of a file as the service reads it. */
function ReadFile({
  preview,
  targets,
  existing,
  contacts,
  mail,
  onChange,
}: {
  readonly preview: Preview;
  readonly targets: readonly string[] | undefined;
  readonly existing: ExistingRows;
  readonly contacts: Destination;
  readonly mail: Destination;
  readonly onChange: (targets: readonly string[]) => void;
}) {
  const t = useContactTexts();
  const chosen = preview.columns.map(({ target }, index) => targets?.[index] ?? target);
  const leftOut = preview.columns.flatMap(({ name, left_out: isLeftOut }, index) =>
    isLeftOut && contacts.kind !== 'none' ? (name ?? t.column(index + 1)) : [],
  );
  const both = contacts.kind !== 'none' && mail.kind !== 'none';
  const effect = (list: string, problem: string | null, isPresent: boolean): Effect => ({
    ...(both && { list }),
    ...(problem === null
      ? { kind: isPresent ? 'present' : 'added', text: isPresent ? t.effects[existing] : t.effects.added }
      : { kind: 'skipped', text: t.effects.skipped(t.reasons[problem] ?? problem) }),
  });
  return (
    <>
      {leftOut.length > 0 && <FileProblem>{t.leftOut(leftOut.join(', '))}</FileProblem>}
      <FileTable
        columns={preview.columns.map(({ name }, index) => ({
          name: name || t.column(index + 1),
          target: chosen[index]!,
          choices: choicesOf(name || t.column(index + 1), chosen[index]!, t),
        }))}
        rows={preview.rows.map((row) => ({
          line: row.line,
          cells: row.cells,
          effects: [
            ...(contacts.kind === 'none'
              ? []
              : [effect(t.contactList, row.phone_problem, row.in_contact_list)]),
            ...(mail.kind === 'none' ? [] : [effect(t.mailList, row.address_problem, row.in_mailing_list)]),
          ],
        }))}
        onChange={onChange}
      />
    </>
  );
}

/** Possible meanings of a column: those of every person, a field of its name, or none. */
function choicesOf(name: string, target: string, t: ReturnType<typeof useContactTexts>) {
  const own = FIELD + name.replaceAll(',', ' ');
  const fields = [...new Set([own, ...(target.startsWith(FIELD) ? [target] : [])])];
  return [
    ...standard.map((value) => ({ value, label: t.targets[value] })),
    ...fields.map((value) => ({ value, label: t.targetField(value.slice(FIELD.length)) })),
    { value: '', label: t.targetNone },
  ];
}
