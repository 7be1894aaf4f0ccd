import { Eraser, Send, Settings2, Trash2, Upload, UserPlus } from 'lucide-react';
import { useLocation, useParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Download } from '../../components/download.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { RecentImports } from '../../features/imports/recent-imports.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { ListForm } from './mailing-list-form.tsx';
import { UserForm } from './user-form.tsx';
import type { MailList } from './user-states.ts';
import { Users } from './users.tsx';

/** One mailing list with its users. */
export default function OneMailList() {
  const { mailLists: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const language = useLanguage();
  const query = useAnswer('/v1/mail/lists/{id}', byId(id));
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={list.name}
          back="/mailing-lists"
          lead={
            <>
              {t.counts(list.users.toLocaleString(language), list.active.toLocaleString(language))}
              {list.description !== '' && (
                <>
                  {' · '}
                  <bdi>{list.description}</bdi>
                </>
              )}
            </>
          }
          actions={<Actions list={list} />}
        >
          <Users list={list} />
          <RecentImports listId={list.id} under={`/mailing-lists/${list.id}`} />
        </Page>
      )}
    </Fetched>
  );
}

function Actions({ list }: { readonly list: MailList }) {
  const { mailLists: t, common } = useTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const { open, ask } = useDialogs();
  const mayChange = useMay('sender');
  const change: Parameters<typeof ListForm>[0]['save'] = async (body) => {
    await client.PATCH('/v1/mail/lists/{id}', { ...byId(list.id), body });
    await done(t.changed, '/v1/mail/lists/{id}', '/v1/mail/lists');
  };
  const empty = () =>
    ask({
      title: t.emptyTitle(list.name),
      text: t.emptyText,
      action: t.emptyAction,
      keep: common.keeps.users,
      run: async () => {
        await client.POST('/v1/mail/lists/{id}/empty', byId(list.id));
        await done(t.emptied, '/v1/mail/lists/{id}/users', '/v1/mail/lists/{id}');
      },
    });
  const remove = () =>
    ask({
      title: t.deleteTitle(list.name),
      text: t.deleteText,
      action: t.deleteAction,
      keep: common.keeps.list,
      run: async () => {
        await client.DELETE('/v1/mail/lists/{id}', byId(list.id));
        await done(t.deleted, '/v1/mail/lists');
        navigate('/mailing-lists');
      },
    });
  const form = <ListForm list={list} action={common.save} save={change} />;
  return (
    <>
      <Download path={`/v1/mail/lists/${list.id}/export`}>{t.export}</Download>
      {mayChange && (
        <>
          <Action
            icon={UserPlus}
            variant="default"
            onClick={() => open(t.addUser, <UserForm list={list} />, { size: 'lg' })}
          >
            {t.addUser}
          </Action>
          <Action icon={Upload} variant="default" href={`/mailing-lists/${list.id}/import`}>
            {t.import}
          </Action>
          <Action icon={Send} mirrored href={`/send?channel=mail&list=${list.id}`}>
            {t.sendToList}
          </Action>
          <ActionMenu
            label={t.more}
            framed
            entries={[
              { icon: Settings2, label: t.settings, onClick: () => open(t.settings, form) },
              { icon: Eraser, label: t.empty, danger: true, onClick: empty },
              { icon: Trash2, label: common.delete, danger: true, onClick: remove },
            ]}
          />
        </>
      )}
    </>
  );
}
