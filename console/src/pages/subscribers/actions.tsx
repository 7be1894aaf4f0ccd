import { ActionIcon, Menu, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeftRight, CirclePause, CirclePlay, EllipsisVertical, KeyRound, LogIn } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { errorText } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useActFor } from '../../shell/use-act-for.ts';
import { ProgramPassword } from '../developers/program-password.tsx';
import type { Subscriber } from './subscriber.ts';
import { Transfer } from './transfer.tsx';

/** What an owner does with a subscriber. */
export function SubscriberActions({ subscriber }: { readonly subscriber: Subscriber }) {
  const texts = useTexts();
  const { subscribers: t, common } = texts;
  const { id, username, name, suspended } = subscriber;
  const queryClient = useQueryClient();
  const actFor = useActFor();
  const [opened, setOpened] = useState<'transfer' | 'password' | 'stop'>();
  const close = () => setOpened(undefined);
  const path = { params: { path: { id } } };
  async function refresh() {
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/subscribers'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/subscribers/{id}'] });
  }
  async function lift() {
    try {
      await client.POST('/v1/subscribers/{id}/lift', path);
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
          <Menu.Item leftSection={<ArrowLeftRight size={16} />} onClick={() => setOpened('transfer')}>
            {t.transfer}
          </Menu.Item>
          <Menu.Item
            leftSection={<LogIn size={16} className="mirrored" />}
            onClick={() => void actFor({ id, username, name, time_zone: null })}
          >
            {t.actFor}
          </Menu.Item>
          <Menu.Item leftSection={<KeyRound size={16} />} onClick={() => setOpened('password')}>
            {t.programPassword}
          </Menu.Item>
          <Menu.Divider />
          {suspended ? (
            <Menu.Item leftSection={<CirclePlay size={16} />} onClick={() => void lift()}>
              {t.lift}
            </Menu.Item>
          ) : (
            <Menu.Item color="red" leftSection={<CirclePause size={16} />} onClick={() => setOpened('stop')}>
              {t.stop}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Transfer subscriber={opened === 'transfer' ? subscriber : undefined} onClose={close} />
      <Modal
        opened={opened === 'password'}
        onClose={close}
        title={t.programPasswordOf(name)}
        centered
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <ProgramPassword username={username} />
      </Modal>
      <Confirm
        opened={opened === 'stop'}
        onClose={close}
        title={t.stopTitle(name)}
        action={t.stop}
        danger
        onConfirm={async () => {
          await client.POST('/v1/subscribers/{id}/suspend', path);
          notifications.show({ message: t.stopped(name) });
          await refresh();
        }}
      >
        {t.stopText}
      </Confirm>
    </>
  );
}
