import { useForm } from '@mantine/form';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
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
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={action}>
      {field.text('name', t.name, { written: true, required: true, focus: true, maxLength: MAX_NAME })}
      {field.text('description', t.description, { written: true, lines: 2, maxLength: MAX_DESCRIPTION })}
      {field.checkbox('confirm', t.confirm, t.confirmHint)}
      {field.checkbox('track', t.track, t.trackHint)}
    </Form>
  );
}
