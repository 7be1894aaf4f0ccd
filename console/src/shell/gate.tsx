import { Center, Container, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { onSignedOut } from '../api/client.ts';
import { forgetSession, useSessionQuery } from '../api/session.ts';
import { ErrorNote } from '../components/states.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { SessionContext } from './session-context.tsx';
import { Shell } from './shell.tsx';

const SignIn = lazy(() => import('../pages/sign-in/sign-in.tsx'));

/** The shell for those who are signed in, the sign-in for the others. The address stays as it is. */
export function Gate() {
  const { common } = useTexts();
  const queryClient = useQueryClient();
  const query = useSessionQuery();
  const [ended, setEnded] = useState(false);
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
  if (query.data) {
    return (
      <SessionContext value={query.data}>
        <Shell />
      </SessionContext>
    );
  }
  if (query.data === null) {
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
