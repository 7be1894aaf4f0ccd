import { Center, Container, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Router } from 'wouter';
import { onSecondFactorRequired, onSignedOut } from '../api/client.ts';
import { forgetSession, lacksSecondFactor, sessionKey, useSessionQuery } from '../api/session.ts';
import { SessionContext } from '../api/session-context.ts';
import { navigateIfMayLeave } from '../components/leaving.ts';
import { ErrorNote } from '../components/states.tsx';
import { useTexts } from '../i18n/use-texts.tsx';
import { isProviderPath } from '../pages/sign-in/provider-path.ts';
import { Shell } from './shell.tsx';

const SignIn = lazy(() => import('../pages/sign-in/sign-in.tsx'));
const ProveFactor = lazy(() => import('../pages/sign-in/prove-factor.tsx'));
const SecondFactorFirst = lazy(() => import('../pages/sign-in/second-factor-first.tsx'));

/**
 * The shell for those who are signed in, the sign-in for the others, and before both the second factor that is required.
 * The address stays as it is.
 */
export function Gate() {
  const { common } = useTexts();
  const queryClient = useQueryClient();
  const query = useSessionQuery();
  const [ended, setEnded] = useState(false);
  // The recovery codes are shown once: the page stays until they are kept.
  const [settingUp, setSettingUp] = useState(false);
  useEffect(
    () => onSecondFactorRequired(() => void queryClient.invalidateQueries({ queryKey: sessionKey })),
    [queryClient],
  );
  useEffect(
    () =>
      onSignedOut(() => {
        setEnded(true);
        forgetSession(queryClient);
      }),
    [queryClient],
  );
  const waiting = (
    <Center mih="100vh">
      <Loader aria-label={common.loading} />
    </Center>
  );
  if (query.data?.second_factor_pending) {
    return (
      <Suspense fallback={waiting}>
        <ProveFactor username={query.data.person.username} />
      </Suspense>
    );
  }
  if (query.data && (settingUp || lacksSecondFactor(query.data))) {
    return (
      <Suspense fallback={waiting}>
        <SecondFactorFirst
          username={query.data.person.username}
          hasPassword={query.data.has_password}
          onConfirmed={() => setSettingUp(true)}
          onDone={() => {
            setSettingUp(false);
            void queryClient.resetQueries({ queryKey: sessionKey });
          }}
        />
      </Suspense>
    );
  }
  // A person who follows a provider's link signs in again.
  if (query.data && !isProviderPath()) {
    return (
      <SessionContext value={query.data}>
        <Router aroundNav={navigateIfMayLeave}>
          <Shell />
        </Router>
      </SessionContext>
    );
  }
  if (query.data !== undefined) {
    return (
      <Suspense fallback={waiting}>
        <SignIn ended={ended} />
      </Suspense>
    );
  }
  if (query.error) {
    return (
      <Container size="xs" pt={80}>
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      </Container>
    );
  }
  return waiting;
}
