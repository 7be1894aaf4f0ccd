import { Badge, Burger, Group, Text } from '@mantine/core';
import { Wallet } from 'lucide-react';
import { useAnswer } from '../api/queries.ts';
import { useMay, useSession } from '../api/session-context.ts';
import { Brand } from '../components/brand.tsx';
import { Amount } from '../components/values.tsx';
import { LanguageMenu, ThemeMenu } from '../features/preferences/menus.tsx';
import { useTexts } from '../i18n/use-texts.tsx';
import { AccountChooser } from './account-chooser.tsx';
import { PersonMenu } from './person-menu.tsx';
import { SearchLauncher } from './search/launcher.tsx';

/** Header of every page. `opened`: whether the navigation of a small screen is open. */
export function Header({ opened, onToggle }: { readonly opened: boolean; readonly onToggle: () => void }) {
  const { shell } = useTexts();
  const session = useSession();
  return (
    <header className="header">
      <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={onToggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={shell.openNavigation}
            aria-expanded={opened}
          />
          <Brand iconOnly={session.simulated} />
          {session.simulated && (
            <Badge variant="light" color="orange" tt="none" miw="max-content" title={shell.sandboxHint}>
              {shell.sandbox}
            </Badge>
          )}
        </Group>
        <SearchLauncher />
        <Group gap={4} wrap="nowrap">
          <Group gap={4} wrap="nowrap" visibleFrom="sm">
            <AccountControls />
          </Group>
          <PersonMenu />
        </Group>
      </Group>
    </header>
  );
}

/** For which account one works, its credits, and how the console looks; on a phone above the navigation. */
export function AccountControls() {
  const session = useSession();
  const mayRead = useMay('viewer');
  return (
    <>
      {session.role === 'operator' && <AccountChooser />}
      {mayRead && session.account && <Balance />}
      <LanguageMenu />
      <ThemeMenu />
    </>
  );
}

/** Balance of the account, refreshed because other people and programs spend from it. */
function Balance() {
  const { shell } = useTexts();
  const { data } = useAnswer('/v1/wallet', {}, { refetchInterval: 30_000 });
  if (!data) return null;
  return (
    <Group gap={6} wrap="nowrap" px="xs" title={shell.balance}>
      <Wallet size={16} aria-label={shell.balance} role="img" />
      <Text size="sm" fw={600} component="span">
        <Amount value={data.balance} unit />
      </Text>
    </Group>
  );
}
