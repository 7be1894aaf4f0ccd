import { useQueryClient } from '@tanstack/react-query';
import {
  LogOut,
  type LucideIcon,
  Moon,
  Settings,
  Sun,
  SunMoon,
  Languages as Translate,
  Undo2,
} from 'lucide-react';
import { endSession } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { useActFor } from '../../components/use-act-for.ts';
import { actions } from '../../feature-list.ts';
import { usePreferences } from '../../features/preferences/use-preferences.ts';
import type { Dictionary } from '../../i18n/en.ts';
import { languageNames, languages } from '../../i18n/languages.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { mayOpen, visiblePages, visibleSections } from '../visible-pages.ts';

/** A result of the global search, with the page it opens or the action it runs. */
export interface Command {
  /** Known by it among all. */
  readonly key: string;
  readonly kind: keyof Dictionary['shell']['command']['kinds'];
  readonly title: string;
  /** Group or kind of the result. */
  readonly note?: string;
  /** Other words by which it is found. */
  readonly synonyms?: string;
  readonly icon: LucideIcon;
  readonly href?: string;
  readonly run?: () => void;
}

/** The pages, settings and actions that the role of whoever is signed in allows. */
export function useCommands(): readonly Command[] {
  const texts = useTexts();
  const session = useSession();
  const pages = visibleSections(session).flatMap(({ section, icon, entries }) =>
    entries.map(
      ({ path, label, synonyms, script }): Command => ({
        key: `page ${path}`,
        kind: 'pages',
        title: label(texts),
        note: texts.shell.sections[section],
        ...(synonyms && { synonyms: synonyms(texts) }),
        icon,
        ...(script ? { href: path } : { run: () => location.assign(path) }),
      }),
    ),
  );
  return [...pages, ...useActions(), ...useSettings()];
}

/** Actions that the search offers to the person. */
function useActions(): readonly Command[] {
  const texts = useTexts();
  const { shell } = texts;
  const session = useSession();
  const { role, acting } = session;
  const actFor = useActFor();
  const queryClient = useQueryClient();
  const action = (
    icon: LucideIcon,
    title: string,
    does: Pick<Command, 'synonyms' | 'href' | 'run'>,
  ): Command => ({
    key: `action ${title}`,
    kind: 'actions',
    title,
    icon,
    ...does,
  });
  return [
    ...actions
      .filter((entry) => mayOpen(session, entry))
      .map(({ icon, title, synonyms, href }) =>
        action(icon, title(texts), { href, ...(synonyms && { synonyms: synonyms(texts) }) }),
      ),
    ...(acting
      ? [
          action(Undo2, role === 'operator' ? shell.stopWorkingAs : shell.ownAccount, {
            run: () => void actFor(null),
          }),
        ]
      : []),
    action(LogOut, shell.signOut, { run: () => void endSession(queryClient) }),
  ];
}

const themeIcons = { auto: SunMoon, light: Sun, dark: Moon };

function useSettings(): readonly Command[] {
  const texts = useTexts();
  const { shell } = texts;
  const session = useSession();
  const { setLanguage, setScheme } = usePreferences();
  const parts = visiblePages(session).flatMap(({ path, title, parts = [] }) =>
    parts
      .filter(({ isShown }) => isShown?.(session) ?? true)
      .map(
        ({ id, title: name, synonyms }): Command => ({
          key: `part ${path} ${id}`,
          kind: 'settings',
          title: name(texts),
          ...(synonyms && { synonyms: synonyms(texts) }),
          ...(title && { note: title(texts) }),
          icon: Settings,
          href: `${path}#${id}`,
        }),
      ),
  );
  return [
    ...parts,
    ...languages.map(
      (language): Command => ({
        key: `language ${language}`,
        kind: 'settings',
        title: languageNames[language],
        note: shell.language,
        icon: Translate,
        run: () => setLanguage(language),
      }),
    ),
    ...(['auto', 'light', 'dark'] as const).map(
      (scheme): Command => ({
        key: `theme ${scheme}`,
        kind: 'settings',
        title: shell.themes[scheme],
        note: shell.theme,
        icon: themeIcons[scheme],
        run: () => setScheme(scheme),
      }),
    ),
  ];
}
