import { useForm } from '@mantine/form';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Dialog that asks for the name of a new mail template and saves it. */
export function TemplateName({
  initial,
  action,
  save,
}: {
  readonly initial: string;
  readonly action: string;
  readonly save: (name: string) => Promise<unknown>;
}) {
  const { mailTemplates: t } = useTexts();
  const form = useForm({ initialValues: { name: initial.slice(0, MAX_TEMPLATE_NAME) } });
  const submission = useSubmission(form, ({ name }) => save(name.trim()));
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={action}>
      {field.text('name', t.name, {
        hint: t.nameHint,
        required: true,
        written: true,
        focus: true,
        maxLength: MAX_TEMPLATE_NAME,
      })}
    </Form>
  );
}

/** Characters of the name of a template. */
export const MAX_TEMPLATE_NAME = 100;
