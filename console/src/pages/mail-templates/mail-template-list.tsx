import { keepPreviousData } from '@tanstack/react-query';
import { Copy, LayoutTemplate, Pencil, Plus, Send, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { onePage } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Time } from '../../components/values.tsx';
import { TemplateName } from '../../features/mail/template-name.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

type Row = Answer<'/v1/mail/templates'>['templates'][number];

const TEMPLATES = '/v1/mail/templates';

/** The mail templates of an account. */
export default function MailTemplates() {
  const { mailTemplates: t } = useTexts();
  const filters = useFilters(['search']);
  const { search } = filters.values;
  const mayChange = useMay('sender');
  const query = useAnswer(TEMPLATES, { query: { search } }, { placeholderData: keepPreviousData });
  const columns = useColumns(mayChange);
  const newTemplate = mayChange && (
    <Action icon={Plus} href="/mail-templates/new">
      {t.newTemplate}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={newTemplate}>
      <SearchField
        label={t.search}
        value={search}
        maxLength={100}
        onSearch={(text) => filters.set('search', text)}
      />
      <HiddenNote kind="message-text" />
      <DataTable
        pages={{ ...onePage(query, query.data?.templates), fetching: query.isPlaceholderData }}
        rowKey={({ id }) => id}
        columns={columns}
        empty={
          search === '' ? (
            <Empty icon={LayoutTemplate} title={t.none} action={newTemplate} hint={t.noneHint} />
          ) : (
            <Empty icon={LayoutTemplate} title={t.noneFound} />
          )
        }
      />
    </Page>
  );
}

function useColumns(mayChange: boolean): (Column<Row> | false)[] {
  const { mailTemplates: t } = useTexts();
  return [
    {
      title: t.name,
      cell: ({ id, name, subject }) => (
        <Named name={<bdi>{name}</bdi>} {...(mayChange && { href: `/mail-templates/${id}` })}>
          <bdi>{subject}</bdi>
        </Named>
      ),
    },
    {
      title: t.saved,
      wideOnly: true,
      cell: ({ updated_at, updated_by }) => (
        <>
          <Time at={updated_at} />
          {updated_by !== null && <Muted size="xs">{t.by(updated_by)}</Muted>}
        </>
      ),
    },
    mayChange && {
      title: t.rowActions,
      hiddenTitle: true,
      align: 'end',
      cell: (template) => <Actions template={template} />,
    },
  ];
}

function Actions({ template: { id, name } }: { readonly template: Row }) {
  const { mailTemplates: t, common } = useTexts();
  const { ask, open } = useDialogs();
  const done = useDone();
  const duplicate = () =>
    open(
      t.duplicateTitle(name),
      <TemplateName
        initial={t.copyOf(name)}
        action={t.duplicate}
        save={async (copy) => {
          const data = await client.POST('/v1/mail/templates/{id}/duplicate', {
            ...byId(id),
            body: { name: copy },
          });
          await done(t.duplicated(data.name), TEMPLATES);
        }}
      />,
    );
  const remove = () =>
    ask({
      title: t.deleteTitle(name),
      text: t.deleteText,
      action: t.deleteAction,
      keep: common.keeps.template,
      run: async () => {
        await client.DELETE('/v1/mail/templates/{id}', byId(id));
        await done(t.deleted, TEMPLATES);
      },
    });
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        { icon: Send, label: t.send, mirrored: true, href: `/send?channel=mail&template=${id}` },
        { icon: Pencil, label: t.edit, href: `/mail-templates/${id}` },
        { icon: Copy, label: t.duplicate, onClick: duplicate },
        'divider',
        { icon: Trash2, label: t.delete, danger: true, onClick: remove },
      ]}
    />
  );
}
