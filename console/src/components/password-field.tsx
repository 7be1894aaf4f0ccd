import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTexts } from '../i18n/use-texts.tsx';

/** Password input with a button that reveals the password. Required unless `required` is false. */
export function PasswordField(props: PasswordInputProps) {
  const { common } = useTexts();
  return (
    <PasswordInput
      dir="ltr"
      required
      {...props}
      visibilityToggleButtonProps={{ 'aria-label': common.showCharacters, tabIndex: 0 }}
    />
  );
}

/** The fields `password` and `repeat` of a form: a new password, twice. Its `validate` is `useSamePassword()`. */
export function NewPassword<Values extends { readonly password: string; readonly repeat: string }>({
  form,
  ...first
}: Omit<PasswordInputProps, 'form'> & { readonly form: UseFormReturnType<Values> }) {
  const { account: t } = useTexts();
  return (
    <>
      <PasswordField
        label={t.newPassword}
        autoComplete="new-password"
        {...first}
        {...form.getInputProps('password')}
      />
      <PasswordField label={t.repeatPassword} autoComplete="new-password" {...form.getInputProps('repeat')} />
    </>
  );
}

/** Says of a form with NewPassword when the two differ. */
export function useSamePassword() {
  const { account: t } = useTexts();
  return {
    repeat: (repeat: string, { password }: { readonly password: string }) =>
      repeat === password ? null : t.passwordsDiffer,
  };
}
