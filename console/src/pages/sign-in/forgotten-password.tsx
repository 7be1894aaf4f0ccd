import { Alert, Button, Loader, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { fieldsOf, useSubmission } from '../../components/form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { SignInFrame } from './frame.tsx';
import { useSignInTexts } from './texts.ts';

/** Requests a link for a new password by email, or says whom to ask where the service mails none. */
export default function ForgottenPassword({
  username,
  onBack,
}: {
  /** As typed into the sign-in form. */
  readonly username: string;
  readonly onBack: () => void;
}) {
  const { signIn } = useSignInTexts();
  const t = signIn.forgotten;
  const ways = useAnswer('/v1/session/forgotten-password');
  const [isSent, setSent] = useState(false);
  const form = useForm({ initialValues: { username } });
  const { onSubmit, busy, error } = useSubmission(form, async (values) => {
    await client.POST('/v1/session/forgotten-password', { body: { username: values.username.trim() } });
    setSent(true);
  });
  const byMail = ways.data?.by_mail === true;
  return (
    <SignInFrame title={t.title} {...(byMail && !isSent && { lead: t.lead })}>
      <Stack>
        <div aria-live="polite">
          {ways.isPending && <Loader size="sm" />}
          {ways.error && <ErrorNote error={ways.error} />}
          {ways.data && !byMail && <Alert>{t.whom}</Alert>}
          {isSent && <Alert>{t.sent}</Alert>}
        </div>
        {byMail && !isSent && (
          <form onSubmit={onSubmit}>
            <Stack>
              <ErrorNote error={error} />
              {fieldsOf(form).text('username', signIn.username, {
                required: true,
                autoComplete: 'username',
                autoCapitalize: 'none',
                autoFocus: true,
                hint: t.hint,
              })}
              <Button type="submit" size="md" loading={busy} fullWidth>
                {t.submit}
              </Button>
            </Stack>
          </form>
        )}
        <Button variant="subtle" onClick={onBack}>
          {t.back}
        </Button>
      </Stack>
    </SignInFrame>
  );
}
