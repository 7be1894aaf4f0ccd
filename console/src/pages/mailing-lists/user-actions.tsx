import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, MailX, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { UserForm } from './user-form.tsx';
import type { MailList, MailUser } from './user-states.ts';

type Doing = 'changing' | 'deleted' | 'removed' | 'active';

/** What can be done with a user: change him, delete him, note his removal, have him back. */
export function UserActions({ list, user }: { readonly list: MailList; readonly user: MailUser }) {
  const { mailLists: t } = useTexts();
  const queryClient = useQueryClient();
  const [doing, setDoing] = useState<Doing>();
  const { id, email, status } = user;
  const dialog = (of: Doing) => ({ opened: doing === of, onClose: () => setDoing(undefined) });
  const become = (wanted: Exclude<Doing, 'changing'>) => async () => {
    await client.POST('/v1/mail/users/{id}/status', { params: { path: { id } }, body: { status: wanted } });
    notifications.show({ message: t.stateChanged });
    await queryClient.invalidateQueries({ queryKey: ['mail-users'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/mail/lists/{id}'] });
  };
  const address = (
    <p>
      <b>
        <bdi dir="ltr">{email}</bdi>
      </b>
    </p>
  );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(email)}>
            <EllipsisVertical size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDoing('changing')}>
            {t.changeUser}
          </Menu.Item>
          {status !== 'active' && (
            <Menu.Item leftSection={<RotateCcw size={16} aria-hidden />} onClick={() => setDoing('active')}>
              {t.undeleteUser}
            </Menu.Item>
          )}
          {(status === 'active' || status === 'bounced') && (
            <Menu.Item leftSection={<MailX size={16} aria-hidden />} onClick={() => setDoing('removed')}>
              {t.removeUser}
            </Menu.Item>
          )}
          {status !== 'deleted' && (
            <Menu.Item
              color="red"
              leftSection={<Trash2 size={16} aria-hidden />}
              onClick={() => setDoing('deleted')}
            >
              {t.deleteUser}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <UserForm list={list} user={user} {...dialog('changing')} />
      <Confirm
        {...dialog('active')}
        title={t.undeleteUserTitle}
        action={t.undeleteUser}
        onConfirm={become('active')}
      >
        {address}
        {t.undeleteUserText}
      </Confirm>
      <Confirm
        {...dialog('removed')}
        title={t.removeUserTitle}
        action={t.removeUserAction}
        danger
        onConfirm={become('removed')}
      >
        {address}
        {t.removeUserText}
      </Confirm>
      <Confirm
        {...dialog('deleted')}
        title={t.deleteUserTitle}
        action={t.deleteUser}
        danger
        onConfirm={become('deleted')}
      >
        {address}
        {t.deleteUserText}
      </Confirm>
    </>
  );
}
