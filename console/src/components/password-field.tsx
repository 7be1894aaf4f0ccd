import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';

/** A field for a password, which its owner can look at. */
export function PasswordField(props: PasswordInputProps) {
  const { common } = useTexts();
  return (
    <PasswordInput
      dir="ltr"
      {...props}
      visibilityToggleButtonProps={{ 'aria-label': common.showCharacters, tabIndex: 0 }}
    />
  );
}
