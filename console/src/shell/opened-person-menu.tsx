import { Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Undo2, Wrench } from 'lucide-react';
import { Link } from 'wouter';
import { endSession } from '../api/session.ts';
import { useSession } from '../api/session-context.ts';
import type { OpenedMenuProps } from '../components/lazy-menu.tsx';
import { OpenedMenu } from '../components/opened-menu.tsx';
import { useActFor } from '../components/use-act-for.ts';
import { useTexts } from '../i18n/use-texts.tsx';

/** Menu of the signed-in person: name, settings, and signing out. */
export default function OpenedPersonMenu({ button }: OpenedMenuProps) {
  const { shell } = useTexts();
  const { person, account, role, acting } = useSession();
  const actFor = useActFor();
  const queryClient = useQueryClient();
  return (
    <OpenedMenu button={button} width={220}>
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
    </OpenedMenu>
  );
}
