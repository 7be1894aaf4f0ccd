import { Modal } from '@mantine/core';
import { MailX, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { ActionMenu } from '../../components/action-menu.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { UserForm } from './user-form.tsx';
import type { MailList, MailUser } from './user-states.ts';

type Doing = 'changing' | 'deleted' | 'removed' | 'active';

/** What can be done with a recipient: change, restore, record a removal, delete. */
export function UserActions({ list, user }: { readonly list: MailList; readonly user: MailUser }) {
  const { mailLists: t } = useTexts();
  const done = useDone();
  const [doing, setDoing] = useState<Doing>();
  const { id, email, status } = user;
  const close = () => setDoing(undefined);
  const dialog = (of: Doing) => ({ opened: doing === of, onClose: close });
  const become = (wanted: Exclude<Doing, 'changing'>) => async () => {
    await client.POST('/v1/mail/users/{id}/status', { ...byId(id), body: { status: wanted } });
    await done(t.stateChanged, '/v1/mail/lists/{id}/users', '/v1/mail/lists/{id}');
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
      <ActionMenu
        label={t.actionsOf(email)}
        entries={[
          { icon: Pencil, label: t.changeUser, onClick: () => setDoing('changing') },
          status !== 'active' && {
            icon: RotateCcw,
            label: t.restoreUser,
            onClick: () => setDoing('active'),
          },
          (status === 'active' || status === 'bounced') && {
            icon: MailX,
            label: t.removeUser,
            onClick: () => setDoing('removed'),
          },
          status !== 'deleted' && {
            icon: Trash2,
            label: t.deleteUser,
            danger: true,
            onClick: () => setDoing('deleted'),
          },
        ]}
      />
      <Modal {...dialog('changing')} title={t.changeOf(email)} size="lg">
        <UserForm list={list} user={user} onClose={close} />
      </Modal>
      <Confirm
        {...dialog('active')}
        title={t.restoreUserTitle}
        action={t.restoreUser}
        onConfirm={become('active')}
      >
        {address}
        {t.restoreUserText}
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
