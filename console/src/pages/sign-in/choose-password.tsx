import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { useSubmission } from '../../components/form.tsx';
import { NewPassword, useSamePassword } from '../../components/password-field.tsx';
import { errorText } from '../../components/states.tsx';
import { SignInFrame } from './frame.tsx';
import { useSignInTexts } from './texts.ts';

/** Chooses a password with a one-time link. */
export function ChoosePassword({
  token,
  onDone,
}: {
  readonly token: string;
  readonly onDone: (notice: string) => void;
}) {
  const texts = useSignInTexts();
  const t = texts.signIn.choose;
  const form = useForm({
    initialValues: { password: '', repeat: '' },
    validate: useSamePassword(),
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ password }) => {
    const data = await client.POST('/v1/session/password-link', { body: { token, password } });
    onDone(t.done(data.username));
  });
  return (
    <SignInFrame title={t.title} lead={t.lead}>
      <form onSubmit={onSubmit}>
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
