import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import type { RequestBody } from '../../api/operations.ts';
import { choicesOf } from '../../components/choices.ts';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { SEARCH } from './find-consents.tsx';
import { useConsentTexts } from './texts.ts';

type Entry = RequestBody<'/v1/consents'>['consents'][number];
type Source = Entry['source'];
const evidenceFields = ['form', 'version', 'text', 'language', 'ip', 'url', 'file'] as const;
type EvidenceField = (typeof evidenceFields)[number];

/** Evidence fields of a consent, by its source. */
const evidenceOf: Readonly<Record<Source, readonly EvidenceField[]>> = {
  form: ['form', 'version', 'text', 'language', 'ip', 'url'],
  agent: ['text', 'language'],
  import: ['file', 'text', 'language'],
  api: ['form', 'version', 'text', 'language', 'ip', 'url'],
};
const sources = ['form', 'agent', 'import'] as const;
const maxLengths: Readonly<Record<EvidenceField, number>> = {
  form: 200,
  version: 100,
  text: 4_000,
  language: 20,
  ip: 45,
  url: 2_000,
  file: 200,
};

const empty = {
  ...{ subject: '', channel: 'sms' as Entry['channel'], purpose: 'marketing', at: '' },
  ...{ action: 'given' as Entry['action'], source: 'form' as Source },
  ...{ form: '', version: '', text: '', language: '', ip: '', url: '', file: '' },
};

function entryOf({ subject, channel, purpose, at, action, source, ...evidence }: typeof empty): Entry {
  const given = evidenceOf[source].flatMap((field) =>
    evidence[field].trim() === '' ? [] : [[field, evidence[field].trim()]],
  );
  return {
    ...{ subject, channel, purpose, action, source },
    ...(at !== '' && { at }),
    ...Object.fromEntries(given),
  };
}

/** The names of the service, and those of the form. */
const names = Object.fromEntries(Object.keys(empty).map((field) => [`consents[0].${field}`, field]));

/** Records in a dialog that a person agreed to something, or withdrew it. */
export function RecordForm() {
  const t = useConsentTexts();
  const done = useDone();
  const form = useForm({ initialValues: empty });
  const submission = useSubmission(
    form,
    async (values) => {
      await client.POST('/v1/consents', { body: { consents: [entryOf(values)] } });
      await done(t.recorded, '/v1/consents', ['post', SEARCH]);
    },
    names,
  );
  const field = fieldsOf(form);
  const choose = (name: 'channel' | 'action' | 'source', choices: Readonly<Record<string, string>>) => (
    <NativeSelect label={t[name]} data={choicesOf(choices)} {...form.getInputProps(name)} />
  );
  const hints: Readonly<Partial<Record<EvidenceField, string>>> = {
    form: t.personalHint,
    text: t.personalHint,
    url: t.urlHint,
  };
  const evidence = (name: EvidenceField) =>
    field.text(name, t.evidence[name], {
      maxLength: maxLengths[name],
      hint: hints[name],
      written: name === 'form' || name === 'text' || name === 'file',
      ...(name === 'text' && { lines: 2, maxRows: 6 }),
    });
  return (
    <Form submission={submission} action={t.record}>
      <Text size="sm">{t.recordText}</Text>
      {field.text('subject', t.subject, { required: true, focus: true, maxLength: 320 })}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {choose('action', t.actions)}
        {choose('channel', t.channels)}
        {field.text('purpose', t.purpose, {
          required: true,
          maxLength: 100,
          written: true,
          hint: t.purposeHint,
        })}
        <DateTimeInput
          label={`${t.at} (${t.atHint})`}
          value={form.values.at}
          onChange={(at) => form.setFieldValue('at', at)}
          error={form.errors.at}
        />
        {choose('source', Object.fromEntries(sources.map((source) => [source, t.sources[source]])))}
        {evidenceOf[form.values.source].map((name) => (
          <div key={name}>{evidence(name)}</div>
        ))}
      </SimpleGrid>
    </Form>
  );
}
