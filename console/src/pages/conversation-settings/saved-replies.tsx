import { useForm } from '@mantine/form';
import { MessageSquareQuote, Pencil, Plus, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Count } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { SAVED_REPLIES } from './paths.ts';
import { useSettingsTexts } from './texts.ts';

type SavedReply = Answer<typeof SAVED_REPLIES>['saved_replies'][number];

const MAX_TEXT = 1_000;

/** The texts that people of the account answer with. */
export default function SavedReplies() {
  const { savedReplies: t } = useSettingsTexts();
  const { open } = useDialogs();
  const filters = useFilters(['search']);
  const { search } = filters.values;
  const pages = useList(SAVED_REPLIES, ({ saved_replies }) => saved_replies, { query: { search } });
  const add = (
    <Action icon={Plus} onClick={() => open(t.add, <SavedReplyForm />, { size: 'lg' })}>
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={add}>
      <SearchField
        label={t.search}
        value={search}
        maxLength={100}
        onSearch={(text) => filters.set('search', text)}
      />
      <DataTable
        pages={pages}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t.titleField,
            cell: ({ title, text }) => (
              <Named name={<bdi>{title}</bdi>}>
                <Muted component="div" size="xs" lineClamp={2} dir="auto">
                  {text}
                </Muted>
              </Named>
            ),
          },
          { title: t.shortcut, cell: ({ shortcut }) => <bdi>/{shortcut}</bdi> },
          { title: t.uses, align: 'end', cell: ({ uses }) => <Count value={uses} />, wideOnly: true },
          {
            title: t.edit,
            hiddenTitle: true,
            align: 'end',
            width: 56,
            cell: (saved) => <Actions saved={saved} />,
          },
        ]}
        empty={
          <Empty
            icon={MessageSquareQuote}
            filters={{ any: search !== '' }}
            title={t.none}
            action={add}
            hint={t.noneHint}
          />
        }
      />
    </Page>
  );
}

/** Creates a saved reply, or changes one. */
function SavedReplyForm({ saved }: { readonly saved?: SavedReply }) {
  const { savedReplies: t } = useSettingsTexts();
  const { common } = useTexts();
  const done = useDone();
  const form = useForm({
    initialValues: {
      shortcut: saved?.shortcut ?? '',
      title: saved?.title ?? '',
      text: saved?.text ?? '',
    },
  });
  const submission = useSubmission(form, async (body) => {
    if (saved) await client.PATCH('/v1/saved-replies/{id}', { ...byId(saved.id), body });
    else await client.POST(SAVED_REPLIES, { body });
    await done(saved ? t.saved(body.title) : t.created(body.title), SAVED_REPLIES);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={saved ? common.save : t.create}>
      {field.text('title', t.titleField, { written: true, required: true, maxLength: 100, focus: true })}
      {field.text('shortcut', t.shortcut, {
        written: true,
        required: true,
        maxLength: 30,
        autoComplete: 'off',
        hint: t.shortcutHint,
      })}
      {field.text('text', t.text, {
        written: true,
        required: true,
        maxLength: MAX_TEXT,
        lines: 4,
        hint: t.textHint,
      })}
    </Form>
  );
}

function Actions({ saved }: { readonly saved: SavedReply }) {
  const { savedReplies: t } = useSettingsTexts();
  const { common } = useTexts();
  const { open, ask } = useDialogs();
  const done = useDone();
  const { id, title } = saved;
  const remove = () =>
    ask({
      title: t.deleteTitle(title),
      text: t.deleteText,
      action: common.delete,
      keep: t.keep,
      run: async () => {
        await client.DELETE('/v1/saved-replies/{id}', byId(id));
        await done(t.deleted(title), SAVED_REPLIES);
      },
    });
  return (
    <ActionMenu
      label={t.actions(title)}
      entries={[
        {
          icon: Pencil,
          label: t.edit,
          onClick: () => open(t.editTitle(title), <SavedReplyForm saved={saved} />, { size: 'lg' }),
        },
        { icon: Trash2, label: common.delete, danger: true, onClick: remove },
      ]}
    />
  );
}
