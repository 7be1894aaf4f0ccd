import { useQueryClient } from '@tanstack/react-query';
import {
  AtSign,
  KeyRound,
  LogOut,
  type LucideIcon,
  MailPlus,
  MessageSquareText,
  MessagesSquare,
  Moon,
  Settings,
  ShieldCheck,
  Sun,
  SunMoon,
  Languages as Translate,
  Undo2,
  UserPlus,
  Webhook,
} from 'lucide-react';
import { atLeast, type PersonRole } from '../../../../server/api/access/roles.ts';
import { endSession } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { useActFor } from '../../api/use-act-for.ts';
import { usePreferences } from '../../features/preferences/use-preferences.ts';
import type { Dictionary } from '../../i18n/en.ts';
import { languageNames, languages } from '../../i18n/languages.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { DOCS } from '../../pages.ts';
import { visibleGroups } from '../visible-pages.ts';

/** A result of the global search, with the page it opens or the action it runs. */
export interface Command {
  /** Known by it among all. */
  readonly key: string;
  readonly kind: keyof Dictionary['shell']['command']['kinds'];
  readonly title: string;
  /** Group or kind of the result. */
  readonly note?: string;
  readonly icon: LucideIcon;
  readonly href?: string;
  readonly run?: () => void;
}

/** The pages, settings and actions that the role of whoever is signed in allows. */
export function useCommands(): readonly Command[] {
  const texts = useTexts();
  const session = useSession();
  const pages = visibleGroups(session).flatMap(({ group, icon, pages: entries }) =>
    entries.map(
      ([path, label]): Command => ({
        key: `page ${path}`,
        kind: 'pages',
        title: label(texts),
        note: texts.shell.groups[group],
        icon,
        ...(path === DOCS ? { run: () => location.assign(DOCS) } : { href: path }),
      }),
    ),
  );
  return [...pages, ...useActions(), ...useSettings()];
}

/** Actions that the search offers, filtered by role. */
function useActions(): readonly Command[] {
  const { shell } = useTexts();
  const { command: t } = shell;
  const { role, account, acting } = useSession();
  const actFor = useActFor();
  const queryClient = useQueryClient();
  const action = (icon: LucideIcon, title: string, does: Pick<Command, 'href' | 'run'>): Command => ({
    key: `action ${title}`,
    kind: 'actions',
    title,
    icon,
    ...does,
  });
  const ofRole: readonly [needed: PersonRole, Command][] = [
    ['sender', action(MessageSquareText, t.sms, { href: '/send' })],
    ['sender', action(MessagesSquare, t.chat, { href: '/send?channel=chat' })],
    ['sender', action(MessagesSquare, t.buttons, { href: '/send?channel=chat&kind=buttons' })],
    ['sender', action(MessagesSquare, t.carousel, { href: '/send?channel=chat&kind=carousel' })],
    ['sender', action(AtSign, t.mail, { href: '/send?channel=mail' })],
    ['sender', action(ShieldCheck, t.code, { href: '/send?channel=code' })],
    ['sender', action(MessagesSquare, t.newTemplate, { href: '/templates/new' })],
    ['sender', action(MailPlus, t.newMailTemplate, { href: '/mail-templates/new' })],
    ['owner', action(KeyRound, t.createToken, { href: '/tokens' })],
    ['owner', action(Webhook, t.registerWebhook, { href: '/webhooks' })],
    ['owner', action(UserPlus, t.addPerson, { href: '/people' })],
  ];
  return [
    ...(account ? ofRole.filter(([needed]) => atLeast(role, needed)).map(([, command]) => command) : []),
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
  const { shell, account: t } = useTexts();
  const { setLanguage, setScheme } = usePreferences();
  const cards = [
    [t.appearance, 'appearance'],
    [t.changePassword, 'password'],
    [t.secondFactor, 'second-factor'],
    [t.sessions, 'sessions'],
  ] as const;
  return [
    ...cards.map(
      ([title, place]): Command => ({
        key: `setting ${place}`,
        kind: 'settings',
        title,
        note: t.title,
        icon: Settings,
        href: `/settings#${place}`,
      }),
    ),
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

/** Commands whose title and note contain every typed word. */
export function matching<C extends Pick<Command, 'title' | 'note'>>(
  commands: readonly C[],
  typed: string,
): C[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ title, note = '' }) => {
    const text = `${title} ${note}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
