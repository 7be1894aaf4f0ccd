import { Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { writtenText } from '../../components/direction.ts';
import { entriesOf, Form, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/texts.tsx';

const MAX_NAME = 11;
const MAX_NOTE = 500;

/** Asks for numbers to be verified. */
export function VerifyForm() {
  const { sources: t } = useTexts();
  const refresh = useRefresh();
  const form = useForm({ initialValues: { phones: '', international: false } });
  const submission = useSubmission(form, async ({ phones, international }) => {
    const { data } = await client.POST('/v1/sources/verify', {
      body: { phones: entriesOf(phones), includes_international: international },
    });
    notifications.show({ message: data!.message, color: 'teal', autoClose: 15_000 });
    await refresh('/v1/sources', '/v1/wallet');
  });
  return (
    <Form submission={submission} action={t.verifyAction}>
      <Text size="sm">{t.verifyText}</Text>
      <Textarea
        label={t.numbers}
        description={t.numbersHint}
        dir="ltr"
        inputMode="tel"
        autosize
        minRows={3}
        maxRows={10}
        required
        data-autofocus
        {...form.getInputProps('phones')}
      />
      <Checkbox label={t.international} {...form.getInputProps('international', { type: 'checkbox' })} />
    </Form>
  );
}

/** Asks the operator for a sender name. */
export function NameForm() {
  const { sources: t } = useTexts();
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
  return (
    <Form submission={submission} action={t.askAction}>
      <Text size="sm">{t.askText}</Text>
      <TextInput
        label={t.name}
        description={t.nameHint}
        dir="ltr"
        maxLength={MAX_NAME}
        required
        data-autofocus
        {...form.getInputProps('source')}
      />
      <Textarea
        label={t.note}
        description={t.noteHint}
        {...writtenText}
        autosize
        minRows={2}
        maxLength={MAX_NOTE}
        {...form.getInputProps('note')}
      />
    </Form>
  );
}
