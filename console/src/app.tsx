import { DirectionProvider, MantineProvider, mergeThemeOverrides, useDirection } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { CarillonError } from './api/errors.ts';
import { prefetchSession } from './api/session.ts';
import { nonce } from './components/nonce.ts';
import { useNoticesWanted } from './components/notices.ts';
import { LanguageContext } from './features/preferences/language-context.ts';
import type { Dictionary } from './i18n/en.ts';
import { chosenLanguage, directionOf, keepLanguage, type Language } from './i18n/languages.ts';
import { loadDictionary } from './i18n/load-texts.ts';
import { TextsProvider } from './i18n/use-texts.tsx';
import { Gate } from './shell/gate.tsx';
import { ProofDialog } from './shell/proof-dialog.tsx';
import { labelled, theme } from './shell/theme.ts';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Retry network and server errors. A refused request would be refused again.
      retry: (count, error) =>
        count < 2 && !(error instanceof CarillonError && (error.httpStatus ?? 500) < 500),
    },
  },
});

// At once, so that it arrives with the texts.
prefetchSession(queryClient);

/** The console, inside everything that its parts need around them. */
export function App({ children = <Gate /> }: { readonly children?: ReactNode }) {
  const [texts, setTexts] = useState<{ language: Language; dictionary: Dictionary }>();
  const choose = useCallback((language: Language) => {
    void loadDictionary(language).then((dictionary) => {
      document.documentElement.lang = language;
      document.documentElement.dir = directionOf(language);
      setTexts({ language, dictionary });
    });
  }, []);
  useEffect(() => choose(chosenLanguage()), [choose]);
  const chooser = useMemo(
    () => (language: Language) => {
      keepLanguage(language);
      choose(language);
    },
    [choose],
  );
  const named = useMemo(
    () => mergeThemeOverrides(theme, texts ? labelled(texts.dictionary.common.close) : {}),
    [texts],
  );
  if (!texts) return null;
  const direction = directionOf(texts.language);
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <Direction value={direction} />
      <MantineProvider theme={named} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
        <QueryClientProvider client={queryClient}>
          <TextsProvider {...texts}>
            <LanguageContext value={chooser}>
              <Notices />
              {children}
              <ProofDialog />
            </LanguageContext>
          </TextsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

const NoticeArea = lazy(() => import('./components/notice-area.tsx'));

/** Notifications, as soon as there is one. */
function Notices() {
  return useNoticesWanted() ? (
    <Suspense>
      <NoticeArea />
    </Suspense>
  ) : null;
}

/** Turns the page when the language changes. */
function Direction({ value }: { readonly value: 'ltr' | 'rtl' }) {
  const { setDirection } = useDirection();
  // biome-ignore lint/correctness/useExhaustiveDependencies: Mantine makes another function each time
  useEffect(() => setDirection(value), [value]);
  return null;
}
