import { Menu, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { useSession } from '../api/session-context.ts';
import type { OpenedMenuProps } from '../components/lazy-menu.tsx';
import { OpenedMenu } from '../components/opened-menu.tsx';
import { useActFor } from '../components/use-act-for.ts';
import { useTexts } from '../i18n/use-texts.tsx';

/** Maximum number of suggested accounts; typing finds others by name. */
const OFFERED = 8;

/** The accounts that an operator can act for, and a search among them. */
export default function AccountMenu({ button }: OpenedMenuProps) {
  return (
    <OpenedMenu button={button} width={260}>
      <Accounts />
    </OpenedMenu>
  );
}

/** Mounted while the menu is open, so that it asks for accounts only then. */
function Accounts() {
  const { shell } = useTexts();
  const { account } = useSession();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const choose = useActFor();
  const { data } = useAnswer('/v1/operator/accounts', {
    query: { limit: OFFERED, ...(search !== '' && { search }) },
  });
  return (
    <>
      <TextInput
        size="xs"
        m={4}
        aria-label={shell.findAccount}
        placeholder={shell.findAccount}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      {data?.accounts.map(({ id, username, name }) => (
        <Menu.Item
          key={id}
          aria-current={account?.id === id}
          onClick={() => void choose({ id, username, name })}
        >
          <bdi>{username}</bdi>
          {name !== username && (
            <>
              {' · '}
              <bdi>{name}</bdi>
            </>
          )}
        </Menu.Item>
      ))}
      {account && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => void choose(null)}>{shell.noAccount}</Menu.Item>
        </>
      )}
    </>
  );
}
