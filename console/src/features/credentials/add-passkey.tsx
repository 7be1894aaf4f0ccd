import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { usePasskeyTexts } from './passkey-texts.ts';
import { newCredential } from './passkeys.ts';

/** Adds a passkey: its name and the password, then the dialog of the browser. */
export function AddPasskey({
  hasPassword,
  onAdded,
}: {
  readonly hasPassword: boolean;
  /** The recovery codes are present when the passkey is the first second factor. */
  readonly onAdded: (recoveryCodes: readonly string[]) => Promise<unknown>;
}) {
  const t = usePasskeyTexts();
  const { account } = useTexts();
  const form = useForm({ initialValues: { name: '', password: '' } });
  const submission = useSubmission(form, async ({ name, password }) => {
    const body = hasPassword ? { password } : {};
    const begun = await client.POST('/v1/session/passkeys/options', { body });
    const credential = await newCredential(begun.options);
    const data = await client.POST('/v1/session/passkeys', { body: { name, credential } });
    return onAdded(data.recovery_codes);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.add}>
      <Text size="sm">{t.addText}</Text>
      {field.text('name', t.name, { written: true, required: true, hint: t.nameHint, focus: true })}
      {hasPassword && (
        <PasswordField
          label={account.passwordAgain}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      )}
    </Form>
  );
}
