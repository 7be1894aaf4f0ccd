import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useSession } from '../api/session-context.ts';
import { lazyMenu } from '../components/lazy-menu.tsx';
import { useTexts } from '../i18n/use-texts.tsx';

const Opened = lazyMenu(() => import('./opened-person-menu.tsx'));

/** Menu of the signed-in person: their settings, and signing out. */
export function PersonMenu() {
  const { shell } = useTexts();
  const { person } = useSession();
  return (
    <Opened
      button={
        <UnstyledButton className="person">
          <VisuallyHidden>{shell.menu}</VisuallyHidden>
          <span className="initial" aria-hidden>
            {[...person.name][0] ?? '?'}
          </span>
          <Text size="sm" fw={500} visibleFrom="md" maw={150} truncate>
            {person.name}
          </Text>
          <ChevronDown size={14} aria-hidden />
        </UnstyledButton>
      }
    />
  );
}
