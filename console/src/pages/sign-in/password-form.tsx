import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { lazy, useState } from 'react';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { fieldsOf, useSubmission } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { errorText } from '../../components/states.tsx';
import { mayUsePasskeys, proofOf } from '../../features/credentials/passkeys.ts';
import type { Credentials } from './choose-password.tsx';
import { useEnter } from './enter.ts';
import { SignInFrame } from './frame.tsx';
import { OtherWays } from './other-ways.tsx';
import { useSignInTexts } from './texts.ts';

const ForgottenPassword = lazy(() => import('./forgotten-password.tsx'));

/** A sign-in that lacks the second factor. */
export interface Begun extends Credentials {
  readonly passkeyOptions: Record<string, unknown> | null;
}

/** Sign-in with a password and, if set up, a second factor. */
export default function PasswordForm({
  ended,
  notice,
  begun,
}: {
  readonly ended: boolean;
  readonly notice: string | undefined;
  readonly begun: Begun | undefined;
}) {
  const { signIn: t } = useSignInTexts();
  const enter = useEnter();
  const [codeWanted, setCodeWanted] = useState(begun !== undefined);
  const [passkeyOptions, setPasskeyOptions] = useState(begun?.passkeyOptions ?? null);
  const [isForgotten, setForgotten] = useState(false);
  const [otherError, setOtherError] = useState<unknown>();
  const { username = '', password = '' } = begun ?? {};
  const form = useForm({ initialValues: { username, password, code: '' } });
  const { onSubmit, busy, error } = useSubmission(form, async ({ code, ...given }) => {
    const data = await client.POST('/v1/session', {
      body: { ...trimmed(given), ...(codeWanted && { code: code.trim() }) },
    });
    setPasskeyOptions(data.passkey_options);
    if (data.code_wanted) setCodeWanted(true);
    if (data.session) await enter(data.session);
  });
  // Each attempt needs a new challenge, so the password is sent again.
  async function bySecondPasskey() {
    const given = trimmed(form.getValues());
    setOtherError(undefined);
    try {
      const data = await client.POST('/v1/session', { body: given });
      const passkey = await proofOf(data.passkey_options ?? {});
      const { session } = await client.POST('/v1/session', { body: { ...given, passkey } });
      if (session) await enter(session);
    } catch (problem) {
      setOtherError(problem);
    }
  }
  if (isForgotten) {
    return <ForgottenPassword username={form.getValues().username} onBack={() => setForgotten(false)} />;
  }
  const shownError = error ?? otherError;
  return (
    <SignInFrame title={codeWanted ? t.codeTitle : t.title} lead={codeWanted ? t.codeHint : t.lead}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <Notice error={shownError} text={notice ?? (ended ? t.ended : undefined)} />
          {codeWanted ? (
            <TextInput
              key="code"
              label={t.code}
              autoComplete="one-time-code"
              autoFocus
              required
              dir="ltr"
              {...form.getInputProps('code')}
            />
          ) : (
            <NameAndPassword form={form} />
          )}
          <Button type="submit" size="md" loading={busy} fullWidth mt="xs">
            {codeWanted ? t.confirm : t.submit}
          </Button>
          {codeWanted && passkeyOptions && mayUsePasskeys() && (
            <Button variant="default" onClick={() => void bySecondPasskey()}>
              {t.usePasskey}
            </Button>
          )}
          {codeWanted && (
            <Button
              variant="subtle"
              onClick={() => {
                setCodeWanted(false);
                form.setValues({ username: '', password: '', code: '' });
              }}
            >
              {t.otherAccount}
            </Button>
          )}
        </Stack>
      </form>
      {!codeWanted && (
        <Button variant="subtle" size="compact-sm" onClick={() => setForgotten(true)}>
          {t.forgotten.ask}
        </Button>
      )}
      {!codeWanted && <OtherWays onEntered={enter} onError={setOtherError} />}
    </SignInFrame>
  );
}

function NameAndPassword<Values extends Credentials>({ form }: { readonly form: UseFormReturnType<Values> }) {
  const { signIn: t } = useSignInTexts();
  return (
    <>
      {fieldsOf(form).text('username', t.username, {
        required: true,
        autoComplete: 'username',
        autoCapitalize: 'none',
        autoFocus: true,
      })}
      <PasswordField label={t.password} autoComplete="current-password" {...form.getInputProps('password')} />
    </>
  );
}

/** The error of the last attempt, or a text about the page that led here. */
function Notice({ error, text }: { readonly error: unknown; readonly text: string | undefined }) {
  const texts = useSignInTexts();
  return (
    <div aria-live="polite">
      {error !== undefined ? (
        <Alert color="red">{whyNot(error, texts)}</Alert>
      ) : (
        text !== undefined && <Alert>{text}</Alert>
      )}
    </div>
  );
}

const trimmed = ({ username, password }: Credentials) => ({ username: username.trim(), password });

function whyNot(error: unknown, texts: ReturnType<typeof useSignInTexts>): string {
  if (!(error instanceof CarillonError)) return errorText(error, texts);
  const { wrong, wrongCode, locked, provider } = texts.signIn;
  const words: Record<string, string> = {
    'signed-out': wrong,
    'wrong-code': wrongCode,
    'too-fast': locked,
    'not-allowed': provider.only,
  };
  return words[error.code] ?? errorText(error, texts);
}
