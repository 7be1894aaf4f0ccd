import { ActionIcon, Anchor, Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Eraser, Settings2, Trash2, Upload, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Download } from '../../components/download.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { RecentImports } from '../contacts/recent-imports.tsx';
import { ListSettings } from './list-form.tsx';
import { UserForm } from './user-form.tsx';
import type { MailList } from './user-states.ts';
import { Users } from './users.tsx';

/** One mailing list with its users. */
export default function OneMailList() {
  const { mailLists: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const language = useLanguage();
  const query = api.useQuery('get', '/v1/mail/lists/{id}', { params: { path: { id } } });
  return (
    <Fetched query={query}>
      {(list) => (
        <Page
          title={list.name}
          lead={
            <>
              <Anchor component={Link} href="/mailing-lists" underline="always">
                {t.backToLists}
              </Anchor>
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
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [doing, setDoing] = useState<Doing>();
  const path = { params: { path: { id: list.id } } };
  const dialog = (of: Doing) => ({ opened: doing === of, onClose: () => setDoing(undefined) });
  return (
    <>
      <Download path={`/v1/mail/lists/${list.id}/export`}>{t.export}</Download>
      {atLeast(role, 'sender') && (
        <>
          <Button
            variant="default"
            leftSection={<UserPlus size={16} aria-hidden />}
            onClick={() => setDoing('adding')}
          >
            {t.addUser}
          </Button>
          <Button
            component={Link}
            href={`/mailing-lists/${list.id}/import`}
            leftSection={<Upload size={16} aria-hidden />}
          >
            {t.import}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size="input-sm" aria-label={t.more}>
                <EllipsisVertical size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<Settings2 size={16} aria-hidden />}
                onClick={() => setDoing('setting')}
              >
                {t.settings}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Eraser size={16} aria-hidden />}
                onClick={() => setDoing('emptying')}
              >
                {t.empty}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Trash2 size={16} aria-hidden />}
                onClick={() => setDoing('deleting')}
              >
                {common.delete}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <UserForm list={list} {...dialog('adding')} />
          <ListSettings list={list} {...dialog('setting')} />
          <Confirm
            {...dialog('emptying')}
            title={t.emptyTitle(list.name)}
            action={t.emptyAction}
            danger
            onConfirm={async () => {
              await client.POST('/v1/mail/lists/{id}/empty', path);
              notifications.show({ message: t.emptied });
              await queryClient.invalidateQueries({ queryKey: ['mail-users', list.id] });
              await queryClient.invalidateQueries({ queryKey: ['get', '/v1/mail/lists/{id}'] });
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
              notifications.show({ message: t.deleted });
              await queryClient.invalidateQueries({ queryKey: ['mail-lists'] });
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
