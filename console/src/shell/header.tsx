import { Badge, Burger, Group } from '@mantine/core';
import { useSession } from '../api/session-context.ts';
import { LanguageMenu, ThemeMenu } from '../features/preferences/menus.tsx';
import { useTexts } from '../i18n/use-texts.tsx';
import { AccountChooser } from './account-chooser.tsx';
import { LiveBrand } from './live-brand.tsx';
import { Modes } from './modes.tsx';
import { PersonMenu } from './person-menu.tsx';
import type { Place } from './place.ts';
import { SearchLauncher } from './search/launcher.tsx';

/**
 * Header of every page. `opened`: whether the navigation of a small screen is open. Without an account there is no tab bar that
 * opens it.
 */
export function Header({
  place,
  opened,
  onToggle,
}: {
  readonly place: Place;
  readonly opened: boolean;
  readonly onToggle: () => void;
}) {
  const { shell } = useTexts();
  const session = useSession();
  return (
    <header className="header">
      <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
        <Group gap="sm" wrap="nowrap">
          {!session.account && (
            <Burger
              opened={opened}
              onClick={onToggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={shell.openNavigation}
              aria-expanded={opened}
            />
          )}
          <LiveBrand iconOnly={session.simulated} />
          {session.simulated && (
            <Badge variant="light" color="orange" tt="none" miw="max-content" title={shell.sandboxHint}>
              {shell.sandbox}
            </Badge>
          )}
          <Group gap="sm" wrap="nowrap" visibleFrom="sm">
            <ChosenAccount />
            <Modes place={place} />
          </Group>
        </Group>
        <SearchLauncher />
        <Group gap={4} wrap="nowrap">
          <Group gap={4} wrap="nowrap" visibleFrom="sm">
            <LanguageMenu />
            <ThemeMenu />
          </Group>
          <PersonMenu />
        </Group>
      </Group>
    </header>
  );
}

/** On a phone above the navigation: for which account an operator works, and how the console looks. */
export function AccountControls() {
  return (
    <>
      <ChosenAccount />
      <LanguageMenu />
      <ThemeMenu />
    </>
  );
}

/** Only operators choose among accounts. */
function ChosenAccount() {
  const { role } = useSession();
  return role === 'operator' && <AccountChooser />;
}
