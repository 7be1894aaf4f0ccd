import { Menu, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { useSession } from '../api/session-context.ts';
import { useActFor } from '../api/use-act-for.ts';
import { Action } from '../components/action.tsx';
import { useTexts } from '../i18n/use-texts.tsx';

/** Maximum number of suggested accounts; typing finds others by name. */
const OFFERED = 8;

/** Lets an operator choose the account to act for. */
export function AccountChooser() {
  const { shell } = useTexts();
  const { account } = useSession();
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const choose = useActFor();
  const { data } = useAnswer(
    '/v1/operator/accounts',
    { query: { limit: OFFERED, ...(search !== '' && { search }) } },
    { enabled: opened },
  );
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260}>
      <Menu.Target>
        <Action
          icon={Building2}
          variant="default"
          size="xs"
          aria-label={account ? `${shell.chooseAccount}: ${account.username}` : shell.chooseAccount}
        >
          <bdi>{account?.username ?? shell.account}</bdi>
        </Action>
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  );
}
