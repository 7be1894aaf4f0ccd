import { Switch } from '@mantine/core';
import { ArrowDown, ArrowUp, Pencil, Plus, Split, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { RULES } from './paths.ts';
import { useSettingsTexts } from './texts.ts';

type Rule = Answer<typeof RULES>['rules'][number];

/** Maximum number shown by a count. */
const MAX_COUNTED = 10_000;

/** Rules that handle incoming messages automatically, in their order. */
export default function Rules() {
  const { rules: t } = useSettingsTexts();
  const pages = useList(RULES, ({ rules }) => rules);
  const rules = pages.rows ?? [];
  const add = (
    <Action icon={Plus} href="/conversation-rules/new">
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={add}>
      <DataTable
        pages={pages}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t.order,
            width: 56,
            cell: ({ id }) => <Count value={rules.findIndex((rule) => rule.id === id) + 1} />,
          },
          { title: t.what, cell: (rule) => <Described rule={rule} /> },
          {
            title: t.matched,
            align: 'end',
            wideOnly: true,
            cell: ({ matches }) => (matches >= MAX_COUNTED ? t.many : <Count value={matches} />),
          },
          {
            title: t.lastMatch,
            wideOnly: true,
            cell: ({ last_match_at: at }) => (at === null ? t.never : <Time at={at} />),
          },
          { title: t.enabled, width: 72, cell: (rule) => <Enabled rule={rule} /> },
          {
            title: t.edit,
            hiddenTitle: true,
            align: 'end',
            width: 56,
            cell: (rule) => <Actions rule={rule} rules={rules} />,
          },
        ]}
        empty={<Empty icon={Split} title={t.none} action={add} hint={t.noneHint} />}
      />
    </Page>
  );
}

/** Name of a rule, with its conditions and actions. */
function Described({ rule }: { readonly rule: Rule }) {
  const { rules: t } = useSettingsTexts();
  const { id, name, keywords, label_ids, webhook, stop } = rule;
  const does = [
    (rule.reply_text ?? rule.saved_reply_id) !== null && t.does.reply,
    label_ids.length > 0 && t.does.labels,
    (rule.assignee_id !== null || rule.assign_by_turns) && t.does.assign,
    webhook && t.does.webhook,
    stop && t.does.stop,
  ].filter((text) => text !== false);
  return (
    <Named href={`/conversation-rules/${id}`} name={<bdi>{name}</bdi>}>
      {rule.stopped === null ? (
        <>
          <bdi>{keywords.length > 0 ? keywords.join(', ') : t.anyMessage}</bdi>
          {' · '}
          {does.join(', ')}
        </>
      ) : (
        t.stopped
      )}
    </Named>
  );
}

function Enabled({ rule: { id, name, enabled } }: { readonly rule: Rule }) {
  const { rules: t } = useSettingsTexts();
  const attempt = useAttempt();
  const done = useDone();
  return (
    <Switch
      aria-label={t.enable(name)}
      checked={enabled}
      onChange={(event) => {
        const body = { enabled: event.currentTarget.checked };
        void attempt(async () => {
          await client.PATCH('/v1/conversation-rules/{id}', { ...byId(id), body });
          await done(t.saved(name), RULES);
        });
      }}
    />
  );
}

function Actions({ rule, rules }: { readonly rule: Rule; readonly rules: readonly Rule[] }) {
  const { rules: t } = useSettingsTexts();
  const { common } = useTexts();
  const { ask } = useDialogs();
  const attempt = useAttempt();
  const done = useDone();
  const { id, name } = rule;
  const place = rules.findIndex((one) => one.id === id);
  const move = (to: number) =>
    void attempt(async () => {
      const ids = rules.map((one) => one.id).toSpliced(place, 1);
      await client.POST('/v1/conversation-rules/order', { body: { ids: ids.toSpliced(to, 0, id) } });
      await done(t.moved(name, to + 1), RULES);
    });
  const remove = () =>
    ask({
      title: t.deleteTitle(name),
      text: t.deleteText,
      action: common.delete,
      keep: t.keep,
      run: async () => {
        await client.DELETE('/v1/conversation-rules/{id}', byId(id));
        await done(t.deleted(name), RULES);
      },
    });
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        { icon: Pencil, label: t.edit, href: `/conversation-rules/${id}` },
        place > 0 && { icon: ArrowUp, label: t.up, onClick: () => move(place - 1) },
        place < rules.length - 1 && { icon: ArrowDown, label: t.down, onClick: () => move(place + 1) },
        'divider',
        { icon: Trash2, label: common.delete, danger: true, onClick: remove },
      ]}
    />
  );
}
