import { Loader, Text } from '@mantine/core';
import { lazy, useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { errorText } from '../../components/states.tsx';
import type { Credentials } from './choose-password.tsx';
import { useEnter } from './enter.ts';
import { SignInFrame } from './frame.tsx';
import type { Begun } from './password-form.tsx';
import { isProviderPath, providerPath } from './provider-path.ts';
import { useSignInTexts } from './texts.ts';
import { ThroughProvider } from './through-provider.tsx';

// A link enters without any form.
const PasswordForm = lazy(() => import('./password-form.tsx'));
const ChoosePassword = lazy(() => import('./choose-password.tsx'));

/** Token of a one-time link, from the part after `#`, which browsers do not send to servers, so no log contains it. */
function tokenOfLink(): string | undefined {
  return /^#([\w-]{43})$/.exec(location.hash)?.[1];
}

/** Sign-in by a link, by a provider, or with a password and, if set up, a second factor. */
export default function SignIn({ ended }: { readonly ended: boolean }) {
  const [token, setToken] = useState(tokenOfLink);
  const [notice, setNotice] = useState<string>();
  const [begun, setBegun] = useState<Begun>();
  const { signIn: t } = useSignInTexts();
  const enter = useEnter();
  function leave(what?: string) {
    const isOver = location.pathname === '/password' || isProviderPath();
    history.replaceState(null, '', isOver ? '/' : location.pathname);
    setToken(undefined);
    setNotice(what);
  }
  /** Signs in with a password that was just chosen, or asks for the second factor. */
  async function enterWith(who: Credentials) {
    try {
      const { session, passkey_options } = await client.POST('/v1/session', { body: { ...who } });
      history.replaceState(null, '', '/');
      if (session) return await enter(session);
      setBegun({ ...who, passkeyOptions: passkey_options });
      setToken(undefined);
    } catch {
      leave(t.choose.done(who.username));
    }
  }
  if (token !== undefined && location.pathname === '/password') {
    return <ChoosePassword token={token} onChosen={enterWith} />;
  }
  const provider = providerPath();
  if (provider && notice === undefined) {
    return <ThroughProvider {...provider} onEntered={enter} onFailed={leave} />;
  }
  if (token !== undefined) return <ThroughLink token={token} onFailed={leave} />;
  return <PasswordForm ended={ended} notice={notice} begun={begun} />;
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
