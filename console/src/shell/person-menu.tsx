import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, LogOut, Undo2, Wrench } from 'lucide-react';
import { Link } from 'wouter';
import { endSession } from '../api/session.ts';
import { useSession } from '../api/session-context.ts';
import { useActFor } from '../api/use-act-for.ts';
import { useTexts } from '../i18n/use-texts.tsx';

/** Menu of the signed-in person: their settings, and signing out. */
export function PersonMenu() {
  const { shell } = useTexts();
  const { person, account, role, acting } = useSession();
  const actFor = useActFor();
  const queryClient = useQueryClient();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
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
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi>{person.username}</bdi> · {shell.roles[role]}
          {account && account.name !== person.name && (
            <div>
              <bdi>{account.name}</bdi>
            </div>
          )}
        </Menu.Label>
        {acting && role !== 'operator' && (
          <Menu.Item leftSection={<Undo2 size={16} className="mirrored" />} onClick={() => void actFor(null)}>
            {shell.ownAccount}
          </Menu.Item>
        )}
        <Menu.Item component={Link} href="/settings" leftSection={<Wrench size={16} />}>
          {shell.settings}
        </Menu.Item>
        <Menu.Item
          leftSection={<LogOut size={16} className="mirrored" />}
          onClick={() => void endSession(queryClient)}
        >
          {shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
