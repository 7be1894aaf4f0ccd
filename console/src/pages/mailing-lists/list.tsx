import { Modal } from '@mantine/core';
import { Eraser, Settings2, Trash2, Upload, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { api, byId, client } from '../../api/client.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Download } from '../../components/download.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { RecentImports } from '../../features/imports/recent-imports.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { ListForm } from './list-form.tsx';
import { UserForm } from './user-form.tsx';
import type { MailList } from './user-states.ts';
import { Users } from './users.tsx';

/** One mailing list with its users. */
export default function OneMailList() {
  const { mailLists: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const language = useLanguage();
  const query = api.useQuery('get', '/v1/mail/lists/{id}', byId(id));
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={list.name}
          lead={
            <>
              <TextLink href="/mailing-lists" underline="always">
                {t.backToLists}
              </TextLink>
              {' · '}
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

type Doing = 'adding' | 'setting' | 'emptying' | 'deleting';

function Actions({ list }: { readonly list: MailList }) {
  const { mailLists: t, common } = useTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const [doing, setDoing] = useState<Doing>();
  const path = byId(list.id);
  const close = () => setDoing(undefined);
  const dialog = (of: Doing) => ({ opened: doing === of, onClose: close });
  const mayChange = useMay('sender');
  return (
    <>
      <Download path={`/v1/mail/lists/${list.id}/export`}>{t.export}</Download>
      {mayChange && (
        <>
          <Action icon={UserPlus} variant="default" onClick={() => setDoing('adding')}>
            {t.addUser}
          </Action>
          <Action icon={Upload} href={`/mailing-lists/${list.id}/import`}>
            {t.import}
          </Action>
          <ActionMenu
            label={t.more}
            framed
            entries={[
              { icon: Settings2, label: t.settings, onClick: () => setDoing('setting') },
              { icon: Eraser, label: t.empty, danger: true, onClick: () => setDoing('emptying') },
              { icon: Trash2, label: common.delete, danger: true, onClick: () => setDoing('deleting') },
            ]}
          />
          <Modal {...dialog('adding')} title={t.addUser} size="lg">
            <UserForm list={list} onClose={close} />
          </Modal>
          <Modal {...dialog('setting')} title={t.settings}>
            <ListForm
              list={list}
              action={common.save}
              onCancel={close}
              save={async (body) => {
                await client.PATCH('/v1/mail/lists/{id}', { ...path, body });
                await done(t.changed, '/v1/mail/lists/{id}', '/v1/mail/lists');
                close();
              }}
            />
          </Modal>
          <Confirm
            {...dialog('emptying')}
            title={t.emptyTitle(list.name)}
            action={t.emptyAction}
            danger
            onConfirm={async () => {
              await client.POST('/v1/mail/lists/{id}/empty', path);
              await done(t.emptied, '/v1/mail/lists/{id}/users', '/v1/mail/lists/{id}');
            }}
          >
            {t.emptyText}
          </Confirm>
          <Confirm
            {...dialog('deleting')}
            title={t.deleteTitle(list.name)}
            action={t.deleteAction}
            danger
            onConfirm={async () => {
              await client.DELETE('/v1/mail/lists/{id}', path);
              await done(t.deleted, '/v1/mail/lists');
              navigate('/mailing-lists');
            }}
          >
            {t.deleteText}
          </Confirm>
        </>
      )}
    </>
  );
}
