import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.tsx';

const Palette = lazy(() => import('./palette.tsx'));

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Opens the global search with its button or Ctrl+K (⌘K on a Mac). The script of the search loads when it is first opened.
 */
export function SearchLauncher() {
  const { command: t } = useTexts().shell;
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      // Compares the physical key: a Hebrew layout produces another letter.
      if (event.code !== 'KeyK' || !(isMac ? event.metaKey : event.ctrlKey)) return;
      if (event.shiftKey || event.altKey) return;
      event.preventDefault();
      setWanted(true);
      setOpened((before) => !before);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <UnstyledButton
        className="search-launcher"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={() => {
          setWanted(true);
          setOpened(true);
        }}
      >
        <Search size={17} aria-hidden />
        <VisuallyHidden>{t.everything}</VisuallyHidden>
        <span className="search-launcher-text" aria-hidden>
          {t.open}
        </span>
        <Kbd size="xs" className="search-launcher-text" aria-hidden dir="ltr">
          {isMac ? '⌘K' : 'Ctrl K'}
        </Kbd>
      </UnstyledButton>
      {wanted && (
        <Suspense fallback={null}>
          <Palette opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
