import { MailX, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { ActionMenu } from '../../components/action-menu.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { UserForm } from './user-form.tsx';
import type { MailList, MailUser } from './user-states.ts';

/** Actions of a recipient: edit, restore, record a removal, delete. */
export function UserActions({ list, user }: { readonly list: MailList; readonly user: MailUser }) {
  const { mailLists: t, common } = useTexts();
  const done = useDone();
  const { open, ask } = useDialogs();
  const { id, email, status } = user;
  const become = (
    wanted: 'active' | 'removed' | 'deleted',
    [title, text, action]: readonly [title: string, text: string, action: string],
  ) =>
    ask({
      title,
      action,
      keep: wanted === 'active' ? undefined : common.keeps.user,
      run: async () => {
        await client.POST('/v1/mail/users/{id}/status', { ...byId(id), body: { status: wanted } });
        await done(t.stateChanged, '/v1/mail/lists/{id}/users', '/v1/mail/lists/{id}');
      },
      text: (
        <>
          <p>
            <b>
              <bdi dir="ltr">{email}</bdi>
            </b>
          </p>
          {text}
        </>
      ),
    });
  return (
    <ActionMenu
      label={t.actionsOf(email)}
      entries={[
        {
          icon: Pencil,
          label: t.changeUser,
          onClick: () => open(t.changeOf(email), <UserForm list={list} user={user} />, { size: 'lg' }),
        },
        status !== 'active' && {
          icon: RotateCcw,
          label: t.restoreUser,
          onClick: () => become('active', [t.restoreUserTitle, t.restoreUserText, t.restoreUser]),
        },
        (status === 'active' || status === 'bounced') && {
          icon: MailX,
          label: t.removeUser,
          onClick: () => become('removed', [t.removeUserTitle, t.removeUserText, t.removeUser]),
        },
        status !== 'deleted' && {
          icon: Trash2,
          label: t.deleteUser,
          danger: true,
          onClick: () => become('deleted', [t.deleteUserTitle, t.deleteUserText, t.deleteUser]),
        },
      ]}
    />
  );
}
