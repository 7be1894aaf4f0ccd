import { Switch } from '@mantine/core';
import { BellRing, Pencil, Plus, Send, Trash2 } from 'lucide-react';
import { useList } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { Empty } from '../../components/states.tsx';
import { Named, Section } from '../../components/text.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Alert, type AlertScope, type Rule, useAlertScope } from './alert-scope.ts';
import { Notifications } from './notifications.tsx';
import { useAlertTexts, useHolds } from './texts.ts';

const REFRESH_MS = 10_000;
const ROWS = 20;

/** Open alerts, alert rules, and ended alerts. */
export default function Alerts() {
  const scope = useAlertScope();
  const t = useAlertTexts();
  const mayChange = useMay('owner');
  return (
    <Page lead={scope.isOperator ? t.operatorLead : t.lead} actions={mayChange && <AddRule scope={scope} />}>
      <Section title={t.open}>
        <AlertTable scope={scope} state="open" />
      </Section>
      <Section title={t.rules}>
        <Rules scope={scope} mayChange={mayChange} />
      </Section>
      <Section title={t.history}>
        <AlertTable scope={scope} state="ended" />
      </Section>
    </Page>
  );
}

function AddRule({ scope }: { readonly scope: AlertScope }) {
  const t = useAlertTexts();
  return (
    <Action icon={Plus} href={`${scope.home}/new`}>
      {t.add}
    </Action>
  );
}

function AlertTable({ scope, state }: { readonly scope: AlertScope; readonly state: 'open' | 'ended' }) {
  const t = useAlertTexts();
  const holds = useHolds();
  const { open } = useDialogs();
  const pages = useAlerts(scope, state);
  const isOpen = state === 'open';
  return (
    <DataTable
      caption={isOpen ? t.open : t.history}
      pages={pages}
      rowKey={({ id }) => id}
      columns={[
        {
          title: t.what,
          onPhone: 'title',
          cell: (alert) => (
            <Named name={holds(alert)}>
              <bdi>{alert.rule}</bdi>
            </Named>
          ),
        },
        {
          title: isOpen ? t.since : t.began,
          onPhone: 'text',
          cell: ({ began_at: at }) => <Time at={at} />,
        },
        !isOpen && { title: t.ended, onPhone: 'mark', cell: ({ ended_at: at }) => <Time at={at} /> },
        { title: t.told, cell: (alert) => <Told alert={alert} /> },
        {
          title: t.details,
          hiddenTitle: true,
          align: 'end',
          onPhone: 'end',
          cell: (alert) => (
            <RowButton
              of={holds(alert)}
              onClick={() =>
                open(t.detailsTitle, <Details scope={scope} state={state} alert={alert} />, { size: 'lg' })
              }
            >
              {t.details}
            </RowButton>
          ),
        },
      ]}
      empty={
        isOpen ? (
          <Empty icon={BellRing} title={t.openNone} hint={t.openNoneHint} />
        ) : (
          <Empty title={t.historyNone} />
        )
      }
    />
  );
}

function useAlerts(scope: AlertScope, state: 'open' | 'ended') {
  return useList(scope.alerts, ({ alerts }) => alerts, {
    query: { state, limit: ROWS },
    refetchMs: REFRESH_MS,
  });
}

/** Notifications of an alert, refreshed while the alert is open on the screen. */
function Details({
  scope,
  state,
  alert,
}: {
  readonly scope: AlertScope;
  readonly state: 'open' | 'ended';
  readonly alert: Alert;
}) {
  const t = useAlertTexts();
  const latest = useAlerts(scope, state).rows?.find(({ id }) => id === alert.id) ?? alert;
  return <Notifications rows={latest.notifications} empty={t.inPause} />;
}

/** Delivery status of all notifications of an alert. */
function Told({ alert: { notifications } }: { readonly alert: Alert }) {
  const t = useAlertTexts();
  const has = (state: string) => notifications.some((one) => one.state === state);
  if (has('failed')) return <StatusBadge tone="bad">{t.notTold}</StatusBadge>;
  if (has('waiting')) return <StatusBadge tone="warning">{t.waiting}</StatusBadge>;
  return notifications.length === 0 ? t.nobody : t.times(notifications.length);
}

function Rules({ scope, mayChange }: { readonly scope: AlertScope; readonly mayChange: boolean }) {
  const t = useAlertTexts();
  const pages = useList(scope.rules, ({ rules }) => rules);
  return (
    <DataTable
      caption={t.rules}
      pages={pages}
      rowKey={({ id }) => id}
      columns={[
        { title: t.rule, cell: (rule) => <Described rule={rule} scope={scope} mayChange={mayChange} /> },
        { title: t.who, wideOnly: true, cell: ({ recipients }) => <Recipients of={recipients} /> },
        mayChange && {
          title: t.enabled,
          width: 72,
          cell: (rule: Rule) => <Enabled rule={rule} scope={scope} />,
        },
        mayChange && {
          title: t.edit,
          hiddenTitle: true,
          align: 'end',
          width: 56,
          cell: (rule: Rule) => <Actions rule={rule} scope={scope} />,
        },
      ]}
      empty={
        <Empty
          title={t.rulesNone}
          hint={scope.isOperator ? t.operatorRulesNoneHint : t.rulesNoneHint}
          action={mayChange && <AddRule scope={scope} />}
        />
      }
    />
  );
}

function Described({
  rule: { id, name, kind, stopped },
  scope,
  mayChange,
}: {
  readonly rule: Rule;
  readonly scope: AlertScope;
  readonly mayChange: boolean;
}) {
  const t = useAlertTexts();
  const link = mayChange && { href: `${scope.home}/${id}` };
  return (
    <Named {...link} name={<bdi>{name}</bdi>}>
      {stopped === null ? t.kinds[kind] : t.stopped}
    </Named>
  );
}

function Recipients({ of: { owners, mails, phones, webhook } }: { readonly of: Rule['recipients'] }) {
  const t = useAlertTexts();
  const means = [
    (owners || mails.length > 0) && t.means.mail,
    phones.length > 0 && t.means.sms,
    webhook && t.means.webhook,
  ].filter((text) => text !== false);
  return means.length > 0 ? means.join(', ') : t.onlyHere;
}

function Enabled({
  rule: { id, name, enabled },
  scope,
}: {
  readonly rule: Rule;
  readonly scope: AlertScope;
}) {
  const t = useAlertTexts();
  const attempt = useAttempt();
  const done = useDone();
  return (
    <Switch
      aria-label={t.enable(name)}
      checked={enabled}
      onChange={(event) => {
        const change = { enabled: event.currentTarget.checked };
        void attempt(async () => {
          await scope.change(id, change);
          await done(t.saved(name), scope.rules, scope.alerts, scope.open);
        });
      }}
    />
  );
}

function Actions({ rule: { id, name }, scope }: { readonly rule: Rule; readonly scope: AlertScope }) {
  const t = useAlertTexts();
  const { common } = useTexts();
  const { ask } = useDialogs();
  const attempt = useAttempt();
  const done = useDone();
  const remove = () =>
    ask({
      title: t.deleteTitle(name),
      text: t.deleteText,
      action: common.delete,
      keep: t.keep,
      run: async () => {
        await scope.remove(id);
        await done(t.deleted(name), scope.rules, scope.alerts, scope.open);
      },
    });
  const test = () =>
    void attempt(async () => {
      await scope.test(id);
      await done(t.testing, scope.tests);
    });
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        { icon: Pencil, label: t.edit, href: `${scope.home}/${id}` },
        { icon: Send, label: t.test, onClick: test },
        'divider',
        { icon: Trash2, label: common.delete, danger: true, onClick: remove },
      ]}
    />
  );
}
