import { Loader, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import type { Who } from '../../api/session.ts';
import { errorText } from '../../components/states.tsx';
import { SignInFrame } from './frame.tsx';
import { leaveToProvider, returnToPage } from './leave-to-provider.ts';
import { useSignInTexts } from './texts.ts';

/** Parameters of the provider's redirect that the service needs. */
const parameters = ['code', 'state', 'iss', 'error'] as const;

/** Goes to a provider by its link, or signs in with what it sent the browser back with. */
export function ThroughProvider({
  slug,
  isCallback,
  onEntered,
  onFailed,
}: {
  readonly slug: string;
  readonly isCallback: boolean;
  readonly onEntered: (who: Who) => Promise<unknown>;
  readonly onFailed: (why: string) => void;
}) {
  const texts = useSignInTexts();
  const { signIn: t } = texts;
  const begun = useRef(false);
  async function finish() {
    const given = new URLSearchParams(location.search);
    const answer = Object.fromEntries(
      parameters.flatMap((name) => (given.has(name) ? [[name, given.get(name)!]] : [])),
    );
    // A code works once, and is not to stay in the history.
    history.replaceState(null, '', location.pathname);
    const who = await client.POST('/v1/session/provider/callback', { body: { slug, ...answer } });
    returnToPage();
    await onEntered(who);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer works once, so it is used once
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const work = isCallback ? finish() : leaveToProvider({ slug });
    work.catch((error: unknown) => {
      const words: Record<string, string> = {
        'signed-out': t.provider.notConfirmed,
        'not-allowed': t.provider.noRole,
        'not-found': t.provider.unknown,
        'try-again': t.provider.silent,
      };
      onFailed((error instanceof CarillonError && words[error.code]) || errorText(error, texts));
    });
  }, []);
  return (
    <SignInFrame title={t.title}>
      <Text role="status">
        <Loader size="sm" me="sm" aria-hidden />
        {t.throughLink}
      </Text>
    </SignInFrame>
  );
}
