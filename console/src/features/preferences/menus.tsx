import { ActionIcon } from '@mantine/core';
import { Languages } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyMenu } from '../../components/lazy-menu.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { themeIcons } from './theme-icons.ts';
import { usePreferences } from './use-preferences.ts';

const OpenedLanguages = lazyMenu(() => import('./language-menu.tsx'));
const OpenedThemes = lazyMenu(() => import('./theme-menu.tsx'));

const headerButton = (label: string, icon: ReactNode) => (
  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label}>
    {icon}
  </ActionIcon>
);

/** Chooses the language. */
export function LanguageMenu() {
  const { shell } = useTexts();
  return <OpenedLanguages button={headerButton(shell.language, <Languages size={19} />)} />;
}

/** Chooses light, dark, or as the system has it. */
export function ThemeMenu() {
  const { shell } = useTexts();
  const { scheme } = usePreferences();
  const Current = themeIcons[scheme];
  return <OpenedThemes button={headerButton(shell.theme, <Current size={19} />)} />;
}
