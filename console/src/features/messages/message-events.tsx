import { Text } from '@mantine/core';
import type { MessageDetail } from '../../api/message-types.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Muted } from '../../components/text.tsx';
import { StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Clicks on the links of a message. */
export function Clicks({ clicks }: { readonly clicks: MessageDetail['clicks'] }) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <Card title={t.clicks}>
      <HiddenNote kind="link-target" />
      <RowsTable
        caption={t.clicks}
        minWidth={320}
        rows={clicks}
        rowKey={({ at, url }) => `${at} ${url}`}
        hiddenHead
        columns={[
          { title: t.clickedAt, cell: ({ at }) => <Time at={at} to="second" /> },
          { title: t.visitor, cell: ({ visitor }) => t.visitors[visitor] ?? visitor },
          {
            title: t.address,
            cell: ({ url, key }) => (
              <Text size="sm" className="break-anywhere">
                <bdi dir="ltr">{url ?? key}</bdi>
              </Text>
            ),
          },
        ]}
      />
    </Card>
  );
}

const pushTones: Readonly<Record<string, Tone>> = {
  done: 'good',
  waiting: 'neutral',
  retrying: 'warning',
  failed: 'bad',
};

/** Events of a message at the endpoints. */
export function Pushes({ pushes }: { readonly pushes: MessageDetail['pushes'] }) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <Card title={t.pushes}>
      <HiddenNote kind="webhook-url" />
      <RowsTable
        caption={t.pushes}
        minWidth={420}
        rows={pushes}
        rowKey={({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`}
        columns={[
          {
            title: t.pushWhat,
            cell: ({ type, at }) => (
              <>
                <bdi dir="ltr">{type}</bdi>
                <Muted size="xs">
                  <Time at={at} to="second" />
                </Muted>
              </>
            ),
          },
          {
            title: t.pushTo,
            cell: ({ url }) => (
              <Text size="sm" className="break-anywhere">
                <bdi dir="ltr">{url}</bdi>
              </Text>
            ),
          },
          { title: t.pushState, cell: (push) => <PushState push={push} /> },
        ]}
      />
    </Card>
  );
}

function PushState({ push }: { readonly push: MessageDetail['pushes'][number] }) {
  const t = useTexts().messages.one;
  const { state, last_status, last_error } = push;
  return (
    <>
      <StatusBadge tone={pushTones[state] ?? 'neutral'}>{t.pushStates[state] ?? state}</StatusBadge>
      {(last_status !== null || last_error !== null) && (
        <Muted size="xs">
          <bdi dir="ltr">{last_error ?? `HTTP ${last_status}`}</bdi>
        </Muted>
      )}
    </>
  );
}
