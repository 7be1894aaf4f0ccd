import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { CirclePause, CirclePlay, Coins, EllipsisVertical, LogIn, Tags } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../../api/client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { errorText } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useActFor } from '../../shell/use-act-for.ts';
import { type Account, accountKey, accountsKey } from './account.tsx';
import { AddCredit } from './add-credit.tsx';

/** What an operator does with an account. */
export function AccountActions({ account }: { readonly account: Account }) {
  const texts = useTexts();
  const { accounts: t } = texts.operator;
  const { id, username, name, suspended, time_zone } = account;
  const queryClient = useQueryClient();
  const actFor = useActFor();
  const [opened, setOpened] = useState<'credit' | 'suspend'>();
  const close = () => setOpened(undefined);
  const path = { params: { path: { id } } };
  async function refresh() {
    await queryClient.invalidateQueries({ queryKey: accountsKey });
    await queryClient.invalidateQueries({ queryKey: accountKey });
  }
  async function lift() {
    try {
      await client.POST('/v1/operator/accounts/{id}/lift', path);
      notifications.show({ message: t.lifted(name), color: 'teal' });
    } catch (error) {
      notifications.show({ message: errorText(error, texts), color: 'red' });
    }
    await refresh();
  }
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.actions(name)}>
            <EllipsisVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<LogIn size={16} className="mirrored" />}
            onClick={() => void actFor({ id, username, name, time_zone })}
          >
            {t.actFor}
          </Menu.Item>
          <Menu.Item leftSection={<Coins size={16} />} onClick={() => setOpened('credit')}>
            {t.addCredit}
          </Menu.Item>
          <Menu.Item
            component={Link}
            href={`/operator/prices?account=${id}`}
            leftSection={<Tags size={16} className="mirrored" />}
          >
            {t.prices}
          </Menu.Item>
          <Menu.Divider />
          {suspended ? (
            <Menu.Item leftSection={<CirclePlay size={16} />} onClick={() => void lift()}>
              {t.lift}
            </Menu.Item>
          ) : (
            <Menu.Item
              color="red"
              leftSection={<CirclePause size={16} />}
              onClick={() => setOpened('suspend')}
            >
              {t.suspend}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <AddCredit account={opened === 'credit' ? account : undefined} onClose={close} />
      <Confirm
        opened={opened === 'suspend'}
        onClose={close}
        title={t.suspendTitle(name)}
        action={t.suspend}
        danger
        onConfirm={async () => {
          await client.POST('/v1/operator/accounts/{id}/suspend', path);
          notifications.show({ message: t.suspendedNow(name) });
          await refresh();
        }}
      >
        {t.suspendText}
      </Confirm>
    </>
  );
}
