import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { writtenText } from '../../components/direction.ts';
import { Form, useSubmission } from '../../components/form.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { MailList } from './user-states.ts';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 2_000;

type Settings = Pick<MailList, 'name' | 'description' | 'confirm' | 'track'>;

const fresh: Settings = { name: '', description: '', confirm: false, track: true };

/** The settings of a mailing list; `list` is one that is changed. */
export function ListForm({
  action,
  list = fresh,
  save,
}: {
  readonly action: string;
  readonly list?: Settings;
  readonly save: (settings: Settings) => Promise<void>;
}) {
  const { mailLists: t } = useTexts();
  const { name, description, confirm, track } = list;
  const form = useForm({ initialValues: { name, description, confirm, track } });
  const submission = useSubmission(form, save);
  return (
    <Form submission={submission} action={action}>
      <TextInput
        label={t.name}
        {...writtenText}
        required
        maxLength={MAX_NAME}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t.description}
        {...writtenText}
        autosize
        minRows={2}
        maxLength={MAX_DESCRIPTION}
        {...form.getInputProps('description')}
      />
      <Checkbox
        label={t.confirm}
        description={t.confirmHint}
        {...form.getInputProps('confirm', { type: 'checkbox' })}
      />
      <Checkbox
        label={t.track}
        description={t.trackHint}
        {...form.getInputProps('track', { type: 'checkbox' })}
      />
    </Form>
  );
}
