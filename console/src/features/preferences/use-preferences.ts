import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useContext, useEffect } from 'react';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { sessionKey } from '../../api/session.ts';
import { SessionContext, useSession } from '../../api/session-context.ts';
import type { Language } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useChooseLanguage } from './language-context.ts';

/** Language and colours, and how to change them: in this browser, and for whoever is signed in wherever that is. */
export function usePreferences(): {
  readonly language: Language;
  readonly scheme: MantineColorScheme;
  readonly setLanguage: (language: Language) => void;
  readonly setScheme: (scheme: MantineColorScheme) => void;
} {
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signedIn = useContext(SessionContext) !== undefined;
  const refresh = useRefresh();
  function keep(preference: { language: Language } | { theme: 'light' | 'dark' | null }) {
    if (!signedIn) return;
    // The choice already applies in this browser; a failure to store it for other browsers is not reported.
    client.PATCH('/v1/session', { body: preference }).then(
      () => refresh(sessionKey),
      () => undefined,
    );
  }
  return {
    language,
    scheme: colorScheme,
    setLanguage(chosen) {
      chooseLanguage(chosen);
      keep({ language: chosen });
    },
    setScheme(chosen) {
      setColorScheme(chosen);
      keep({ theme: chosen === 'auto' ? null : chosen });
    },
  };
}

/**
 * Person whose stored preferences were applied. Later changes in this browser are newer than the session's copy, so they are
 * applied only once.
 */
let appliedFor: string | undefined;

/** Applies what the person who has just signed in chose elsewhere. */
export function useOwnPreferences(): void {
  const { person, language: wanted, theme } = useSession();
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  const { setColorScheme } = useMantineColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person
  useEffect(() => {
    if (appliedFor === person.id) return;
    appliedFor = person.id;
    if (wanted !== null && wanted !== language) chooseLanguage(wanted);
    if (theme !== null) setColorScheme(theme);
  }, [person.id]);
}
