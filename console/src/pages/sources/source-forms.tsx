import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { entriesOf, Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { showNotice } from '../../components/notices.ts';
import { useDone } from '../../components/notify.ts';
import { useSourceTexts } from './texts.ts';

const MAX_NAME = 11;
const MAX_NOTE = 500;

/** Asks for numbers to be verified. */
export function VerifyForm() {
  const t = useSourceTexts();
  const refresh = useRefresh();
  const form = useForm({ initialValues: { phones: '', international: false } });
  const submission = useSubmission(form, async ({ phones, international }) => {
    const data = await client.POST('/v1/sources/verify', {
      body: { phones: entriesOf(phones), includes_international: international },
    });
    showNotice({ message: data.message, color: 'teal', autoClose: 15_000 });
    await refresh('/v1/sources', '/v1/wallet');
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.verifyAction}>
      <Text size="sm">{t.verifyText}</Text>
      {field.text('phones', t.numbers, {
        hint: t.numbersHint,
        required: true,
        focus: true,
        lines: 3,
        inputMode: 'tel',
        maxRows: 10,
      })}
      {field.checkbox('international', t.international)}
    </Form>
  );
}

/** Asks the operator for a sender name. */
export function NameForm() {
  const t = useSourceTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { source: '', note: '' },
    validate: {
      source: (name) =>
        /^(?=.*[a-z])[0-9a-z_.-]([0-9a-z _.-]*[0-9a-z_.-])?$/i.test(name) ? null : t.nameProblem,
    },
  });
  const submission = useSubmission(form, async (body) => {
    await client.POST('/v1/sources/names', { body });
    await done(t.asked, '/v1/sources');
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.askAction}>
      <Text size="sm">{t.askText}</Text>
      {field.text('source', t.name, { hint: t.nameHint, required: true, focus: true, maxLength: MAX_NAME })}
      {field.text('note', t.note, { written: true, hint: t.noteHint, lines: 2, maxLength: MAX_NOTE })}
    </Form>
  );
}
