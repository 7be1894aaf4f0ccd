import { Alert, Button, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { useRefresh } from '../../api/refresh.ts';
import { sessionKey } from '../../api/session.ts';
import { fieldsOf, useSubmission } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { errorText } from '../../components/states.tsx';
import { mayUsePasskeys, proofOf } from '../../features/credentials/passkeys.ts';
import { ChoosePassword } from './choose-password.tsx';
import { SignInFrame } from './frame.tsx';
import { OtherWays } from './other-ways.tsx';
import { isProviderPath, providerPath } from './provider-path.ts';
import { useSignInTexts } from './texts.ts';
import { ThroughProvider } from './through-provider.tsx';

/** Token of a one-time link, from the part after `#`, which browsers do not send to servers, so no log contains it. */
function tokenOfLink(): string | undefined {
  return /^#([\w-]{43})$/.exec(location.hash)?.[1];
}

/** Sign-in by a link, by a provider, or with a password and, if set up, a second factor. */
export default function SignIn({ ended }: { readonly ended: boolean }) {
  const [token, setToken] = useState(tokenOfLink);
  const [notice, setNotice] = useState<string>();
  const enter = useEnter();
  function leave(what?: string) {
    const isOver = location.pathname === '/password' || isProviderPath();
    history.replaceState(null, '', isOver ? '/' : location.pathname);
    setToken(undefined);
    setNotice(what);
  }
  if (token !== undefined && location.pathname === '/password') {
    return <ChoosePassword token={token} onDone={leave} />;
  }
  const provider = providerPath();
  if (provider && notice === undefined) {
    return <ThroughProvider {...provider} onEntered={enter} onFailed={leave} />;
  }
  if (token !== undefined) return <ThroughLink token={token} onFailed={leave} />;
  return <PasswordForm ended={ended} notice={notice} />;
}

/** Reads the session again, which opens the page of the address. */
function useEnter(): () => Promise<void> {
  const refresh = useRefresh();
  return () => refresh(sessionKey);
}

function ThroughLink({
  token,
  onFailed,
}: {
  readonly token: string;
  readonly onFailed: (why: string) => void;
}) {
  const texts = useSignInTexts();
  const enter = useEnter();
  const begun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link works once, so it is used once
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    history.replaceState(null, '', location.pathname);
    client.POST('/v1/session/link', { body: { token } }).then(enter, (error: unknown) => {
      const over = error instanceof CarillonError && error.code === 'link-over';
      onFailed(over ? texts.signIn.linkOver : errorText(error, texts));
    });
  }, []);
  return (
    <SignInFrame title={texts.signIn.title}>
      <Text role="status">
        <Loader size="sm" me="sm" aria-hidden />
        {texts.signIn.throughLink}
      </Text>
    </SignInFrame>
  );
}

function PasswordForm({ ended, notice }: { readonly ended: boolean; readonly notice: string | undefined }) {
  const texts = useSignInTexts();
  const { signIn: t } = texts;
  const enter = useEnter();
  const [codeWanted, setCodeWanted] = useState(false);
  const [passkeyOptions, setPasskeyOptions] = useState<Record<string, unknown> | null>(null);
  const [otherError, setOtherError] = useState<unknown>();
  const form = useForm({ initialValues: { username: '', password: '', code: '' } });
  const { onSubmit, busy, error } = useSubmission(form, async ({ username, password, code }) => {
    const data = await client.POST('/v1/session', {
      body: { username: username.trim(), password, ...(codeWanted && { code: code.trim() }) },
    });
    setPasskeyOptions(data.passkey_options);
    if (data.code_wanted) setCodeWanted(true);
    else await enter();
  });
  // Each attempt needs a new challenge, so the password is sent again.
  async function bySecondPasskey() {
    const { username, password } = form.getValues();
    const given = { username: username.trim(), password };
    setOtherError(undefined);
    try {
      const data = await client.POST('/v1/session', { body: given });
      const passkey = await proofOf(data.passkey_options ?? {});
      await client.POST('/v1/session', { body: { ...given, passkey } });
      await enter();
    } catch (problem) {
      setOtherError(problem);
    }
  }
  const shownError = error ?? otherError;
  const field = fieldsOf(form);
  return (
    <SignInFrame title={codeWanted ? t.codeTitle : t.title} lead={codeWanted ? t.codeHint : t.lead}>
      <form onSubmit={onSubmit}>
        <Stack>
          <div aria-live="polite">
            {shownError !== undefined ? (
              <Alert color="red">{whyNot(shownError, texts)}</Alert>
            ) : (
              (notice ?? (ended ? t.ended : undefined)) !== undefined && <Alert>{notice ?? t.ended}</Alert>
            )}
          </div>
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
            <>
              {field.text('username', t.username, {
                required: true,
                autoComplete: 'username',
                autoCapitalize: 'none',
                autoFocus: true,
              })}
              <PasswordField
                label={t.password}
                autoComplete="current-password"
                {...form.getInputProps('password')}
              />
            </>
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
                form.reset();
              }}
            >
              {t.otherAccount}
            </Button>
          )}
        </Stack>
      </form>
      {!codeWanted && <OtherWays onEntered={enter} onError={setOtherError} />}
    </SignInFrame>
  );
}

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
