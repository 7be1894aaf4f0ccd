import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { useSubmission } from '../../components/form.tsx';
import { NewPassword, useSamePassword } from '../../components/password-field.tsx';
import { errorText } from '../../components/states.tsx';
import { SignInFrame } from './frame.tsx';
import { useSignInTexts } from './texts.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Chooses a password with a one-time link. */
export default function ChoosePassword({
  token,
  onChosen,
}: {
  readonly token: string;
  /** Signs the person in. */
  readonly onChosen: (who: Credentials) => Promise<void>;
}) {
  const texts = useSignInTexts();
  const t = texts.signIn.choose;
  const form = useForm({
    initialValues: { password: '', repeat: '' },
    validate: useSamePassword(),
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ password }) => {
    const { username } = await client.POST('/v1/session/password-link', { body: { token, password } });
    await onChosen({ username, password });
  });
  return (
    <SignInFrame title={t.title} lead={t.lead}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <div aria-live="polite">
            {error !== undefined && (
              <Alert color="red">
                {error instanceof CarillonError && error.code === 'link-over'
                  ? t.over
                  : errorText(error, texts)}
              </Alert>
            )}
          </div>
          <NewPassword form={form} autoFocus />
          <Button type="submit" size="md" loading={busy} fullWidth mt="xs">
            {t.submit}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
