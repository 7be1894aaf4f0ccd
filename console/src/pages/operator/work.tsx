import { Button, Group, Select } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Facts } from '../../components/facts.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { RowOpener } from '../../components/row-opener.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted, Named } from '../../components/text.tsx';
import { type Opened, useOpened } from '../../components/use-opened.ts';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useOperatorTexts } from './texts.ts';

type Groups = Answer<'/v1/operator/work'>['work'];
type Item = Answer<'/v1/operator/work/items'>['items'][number];
type State = Item['state'];

const WORK = '/v1/operator/work';
const ITEMS = '/v1/operator/work/items';
/** Milliseconds between two looks: items come and go by themselves. */
const REFETCH_MS = 5_000;
const tones = { waiting: 'neutral', running: 'busy', retrying: 'warning', failed: 'bad' } as const;

/** Background work of all accounts: what waits and what fails, by kind and account, and the items. */
export default function BackgroundWork() {
  const { work: t } = useOperatorTexts();
  return (
    <Page lead={t.lead}>
      <WorkGroups />
      <Card title={t.items}>
        <Items />
      </Card>
    </Page>
  );
}

function WorkGroups() {
  const { work: t } = useOperatorTexts();
  const pages = useList(WORK, ({ work }) => work, { refetchMs: REFETCH_MS });
  return (
    <DataTable
      pages={pages}
      rowKey={(row) => `${row.kind} ${row.account_id}`}
      columns={[
        { title: t.kind, cell: (row) => <Kind row={row} /> },
        { title: t.states.waiting, align: 'end', cell: (row) => <Count value={row.waiting} /> },
        {
          title: t.states.running,
          align: 'end',
          cell: (row) => <Count value={row.running} />,
          wideOnly: true,
        },
        { title: t.states.retrying, align: 'end', cell: (row) => <Count value={row.retrying} /> },
        { title: t.states.failed, align: 'end', cell: (row) => <Count value={row.failed} /> },
        { title: t.error, cell: (row) => <bdi dir="ltr">{row.last_error ?? '–'}</bdi>, wideOnly: true },
      ]}
      empty={<Empty icon={CircleCheck} title={t.none} hint={t.noneHint} />}
    />
  );
}

/** A kind of work in words, with the account. */
function Kind({ row }: { readonly row: Pick<Groups[number], 'kind' | 'account_id' | 'username'> }) {
  const { work: t } = useOperatorTexts();
  const kind = t.kinds[row.kind as keyof typeof t.kinds] ?? row.kind;
  if (row.username === null) return <Named name={kind}>{t.operator}</Named>;
  return (
    <Named href={`/operator/accounts/${row.account_id}`} name={kind}>
      <bdi dir="ltr">{row.username}</bdi>
    </Named>
  );
}

function Items() {
  const { work: t } = useOperatorTexts();
  const done = useDone();
  const { ask } = useDialogs();
  const [state, setState] = useState<State | null>(null);
  const pages = useList(ITEMS, ({ items }) => items, {
    query: { state: state ?? '' },
    refetchMs: REFETCH_MS,
  });
  const bodyOf = ({ kind, account_id, key }: Item) => ({ kind, account_id, key });
  const [retried, setRetried] = useState<Item>();
  const retry = useTask(async (item: Item) => {
    setRetried(item);
    await client.POST('/v1/operator/work/retry', { body: bodyOf(item) });
    await done(t.retried, WORK, ITEMS);
  });
  const discard = (item: Item) =>
    ask({
      title: t.discardTitle,
      action: t.discard,
      keep: t.keep,
      run: async () => {
        await client.POST('/v1/operator/work/discard', { body: bodyOf(item) });
        await done(t.discarded, WORK, ITEMS);
      },
      text: t.discardText,
    });
  const opened = useOpened(pages.rows, itemKey);
  const actionsOf = (row: Item) => (
    <ItemActions
      row={row}
      isBusy={retry.busy && retried?.key === row.key}
      onRetry={() => void retry.run(row)}
      onDiscard={() => discard(row)}
    />
  );
  return (
    <>
      <Select
        label={t.state}
        placeholder={t.all}
        clearable
        maw={240}
        mb="sm"
        data={Object.entries(t.states).map(([value, label]) => ({ value, label }))}
        value={state}
        onChange={(value) => setState(value as State | null)}
      />
      <ErrorNote error={retry.error} />
      <DataTable
        caption={t.items}
        pages={pages}
        rowKey={itemKey}
        opened={opened.key}
        columns={[
          { title: t.kind, cell: (row) => <Kind row={row} /> },
          {
            title: t.item,
            cell: (row) => (
              <RowOpener onOpen={() => opened.open(row)}>
                <bdi dir="ltr" className="figures">
                  {row.key}
                </bdi>
              </RowOpener>
            ),
          },
          {
            title: t.state,
            cell: (row) => (
              <>
                <StatusBadge tone={tones[row.state]}>{t.states[row.state]}</StatusBadge>
                <Muted size="xs" component="div">
                  {t.attempts(row.attempts)}
                </Muted>
              </>
            ),
          },
          { title: t.due, cell: (row) => <Time at={row.due_at} />, wideOnly: true },
          { title: t.error, cell: (row) => <bdi dir="ltr">{row.last_error ?? '–'}</bdi>, wideOnly: true },
          {
            key: 'actions',
            title: '',
            align: 'end',
            cell: actionsOf,
            wideOnly: true,
          },
        ]}
        empty={<Empty icon={CircleCheck} title={t.none} hint={t.noneHint} />}
      />
      {opened.row && <ItemPanel row={opened.row} opened={opened} actions={actionsOf(opened.row)} />}
    </>
  );
}

const itemKey = ({ kind, account_id, key }: Item) => `${kind} ${account_id} ${key}`;

function ItemActions({
  row,
  isBusy,
  onRetry,
  onDiscard,
}: {
  readonly row: Item;
  readonly isBusy: boolean;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}) {
  const { work: t } = useOperatorTexts();
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {row.can_retry && (
        <Button size="xs" variant="light" aria-label={t.retryOne(row.key)} loading={isBusy} onClick={onRetry}>
          {t.retry}
        </Button>
      )}
      {row.can_discard && (
        <Button size="xs" variant="subtle" color="red" aria-label={t.discardOne(row.key)} onClick={onDiscard}>
          {t.discard}
        </Button>
      )}
    </Group>
  );
}

function ItemPanel({
  row,
  opened,
  actions,
}: {
  readonly row: Item;
  readonly opened: Opened<Item>;
  readonly actions: ReactNode;
}) {
  const { work: t } = useOperatorTexts();
  const kind = t.kinds[row.kind as keyof typeof t.kinds] ?? row.kind;
  return (
    <SidePanel
      opened={opened}
      title={kind}
      id={row.key}
      json={row}
      foot={(row.can_retry || row.can_discard) && actions}
    >
      <Facts
        rows={[
          [
            t.state,
            <StatusBadge key="state" tone={tones[row.state]}>
              {t.states[row.state]}
            </StatusBadge>,
          ],
          [t.account, row.username === null ? t.operator : <bdi key="account">{row.username}</bdi>],
          [t.made, t.attempts(row.attempts)],
          [t.due, <Time key="due" at={row.due_at} to="second" />],
          [
            t.error,
            <bdi key="error" dir="ltr">
              {row.last_error ?? '–'}
            </bdi>,
          ],
        ]}
      />
    </SidePanel>
  );
}
