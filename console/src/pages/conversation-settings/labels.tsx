import { ColorSwatch, Group, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Pencil, Plus, Tag, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { choicesOf } from '../../components/choices.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { LABELS } from './paths.ts';
import { useSettingsTexts } from './texts.ts';

type Label = Answer<typeof LABELS>['labels'][number];

/** The labels that conversations of the account can have. */
export default function Labels() {
  const { labels: t } = useSettingsTexts();
  const { open } = useDialogs();
  const pages = useList(LABELS, ({ labels }) => labels);
  const add = (
    <Action icon={Plus} onClick={() => open(t.add, <LabelForm />)}>
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={add}>
      <DataTable
        pages={pages}
        rowKey={({ id }) => id}
        columns={[
          { title: t.name, cell: (label) => <Shown label={label} />, rowHeader: true },
          {
            title: t.edit,
            hiddenTitle: true,
            align: 'end',
            width: 56,
            cell: (label) => <Actions label={label} />,
          },
        ]}
        empty={<Empty icon={Tag} title={t.none} action={add} hint={t.noneHint} />}
      />
    </Page>
  );
}

const Shown = ({ label: { name, color } }: { readonly label: Label }) => (
  <Group gap="xs" wrap="nowrap">
    <ColorSwatch size={14} color={`var(--mantine-color-${color}-6)`} />
    <bdi>{name}</bdi>
  </Group>
);

/** Creates a label, or changes one. */
function LabelForm({ label }: { readonly label?: Label }) {
  const { labels: t } = useSettingsTexts();
  const { common } = useTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { name: label?.name ?? '', color: label?.color ?? ('blue' as Label['color']) },
  });
  const submission = useSubmission(form, async (body) => {
    if (label) await client.PATCH('/v1/conversation-labels/{id}', { ...byId(label.id), body });
    else await client.POST(LABELS, { body });
    await done(label ? t.saved(body.name) : t.created(body.name), LABELS);
  });
  return (
    <Form submission={submission} action={label ? common.save : t.create}>
      {fieldsOf(form).text('name', t.name, { written: true, required: true, maxLength: 40, focus: true })}
      <Select
        label={t.color}
        data={choicesOf(t.colors)}
        allowDeselect={false}
        leftSection={<ColorSwatch size={14} color={`var(--mantine-color-${form.values.color}-6)`} />}
        {...form.getInputProps('color')}
      />
    </Form>
  );
}

function Actions({ label }: { readonly label: Label }) {
  const { labels: t } = useSettingsTexts();
  const { common } = useTexts();
  const { open, ask } = useDialogs();
  const done = useDone();
  const { id, name } = label;
  const remove = () =>
    ask({
      title: t.deleteTitle(name),
      text: t.deleteText,
      action: common.delete,
      keep: t.keep,
      run: async () => {
        await client.DELETE('/v1/conversation-labels/{id}', byId(id));
        await done(t.deleted(name), LABELS);
      },
    });
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        { icon: Pencil, label: t.edit, onClick: () => open(t.editTitle(name), <LabelForm label={label} />) },
        { icon: Trash2, label: common.delete, danger: true, onClick: remove },
      ]}
    />
  );
}
