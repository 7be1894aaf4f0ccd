import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { ShownOnce } from '../../components/code-block.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { CLIENTS, newPassword } from './smpp-client.tsx';
import { useSmppTexts } from './texts.ts';

export type Length = 'long' | 'short';
const lengths: Readonly<Record<Length, number>> = { long: 20, short: 8 };

/** Returns a function that shows a new password in the place of the form, this once. */
export function useShowPassword(): (password: string, onClose: () => void) => false {
  const t = useSmppTexts();
  const dialog = useDialog()!;
  const text = <Text size="sm">{t.passwordText}</Text>;
  return (password, onClose) =>
    dialog.show(t.passwordTitle, <ShownOnce text={text} code={password} label={t.password} done={t.done} />, {
      sticky: true,
      onClose,
    });
}

/** Field for the length of a new password. */
export function LengthField(props: { readonly value?: string; readonly onChange?: (value: string) => void }) {
  const t = useSmppTexts();
  return <ChoiceField label={t.length} hint={t.lengthHint} choices={t.lengths} {...props} />;
}

/** Returns a new password of a chosen length. */
export const passwordOf = (length: Length): string => newPassword(lengths[length]);

/** Adds a client; then shows its password, once. */
export function AddClient() {
  const t = useSmppTexts();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  const show = useShowPassword();
  const form = useForm({ initialValues: { name: '', system_id: '', length: 'long' as Length } });
  const submission = useSubmission(form, async ({ name, system_id, length }) => {
    const password = passwordOf(length);
    const { id } = await client.POST(CLIENTS, { body: { name, system_id, password } });
    await refresh(CLIENTS);
    return show(password, () => navigate(`/smpp-clients/${id}`));
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.add}>
      {field.text('name', t.name, {
        written: true,
        required: true,
        focus: true,
        placeholder: t.nameExample,
        maxLength: 50,
      })}
      {field.text('system_id', t.systemId, { required: true, hint: t.systemIdHint, maxLength: 64 })}
      <LengthField {...form.getInputProps('length')} />
    </Form>
  );
}
