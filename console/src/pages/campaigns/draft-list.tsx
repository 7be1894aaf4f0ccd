import { FilePen, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { ActionMenu } from '../../components/action-menu.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { Muted, TextLink } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { sendAddress } from '../../features/composing/send-address.ts';
import { useChannelName } from '../../features/messages/channels.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

type Draft = Answer<'/v1/drafts'>['drafts'][number];

const addressOf = ({ id, channel }: Draft) => sendAddress(channel, { draft: id });

/** Drafts of the account's people; nothing without drafts. */
export function Drafts() {
  const { campaigns: t } = useTexts();
  const nameOf = useChannelName();
  const { data } = useAnswer('/v1/drafts');
  if (!data || data.drafts.length === 0) return null;
  return (
    <Card title={t.drafts} lead={t.draftsLead}>
      <RowsTable
        caption={t.drafts}
        minWidth={280}
        rows={data.drafts}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t.name,
            cell: (draft) => (
              <>
                <TextLink href={addressOf(draft)} fw={600}>
                  <bdi>{draft.title || t.untitled}</bdi>
                </TextLink>
                <Muted size="xs">{nameOf(draft.channel)}</Muted>
              </>
            ),
          },
          {
            title: t.changed,
            wideOnly: true,
            cell: ({ updated_at, updated_by }) => (
              <>
                <Time at={updated_at} />
                {updated_by !== null && (
                  <Muted size="xs">
                    <bdi>{updated_by}</bdi>
                  </Muted>
                )}
              </>
            ),
          },
          { title: t.actions, align: 'end', cell: (draft) => <DraftMenu draft={draft} /> },
        ]}
      />
    </Card>
  );
}

function DraftMenu({ draft }: { readonly draft: Draft }) {
  const { campaigns: t, send, common } = useTexts();
  const dialogs = useDialogs();
  const done = useDone();
  const title = draft.title || t.untitled;
  const remove = () =>
    dialogs.ask({
      title: send.draft.removeTitle,
      text: <bdi>{title}</bdi>,
      action: send.draft.remove,
      keep: common.keeps.draft,
      run: async () => {
        await client.DELETE('/v1/drafts/{id}', byId(draft.id));
        await done(t.draftDeleted, '/v1/drafts');
      },
    });
  return (
    <ActionMenu
      label={`${t.actions}: ${title}`}
      entries={[
        { icon: FilePen, label: t.openDraft, href: addressOf(draft) },
        { icon: Trash2, label: send.draft.remove, danger: true, onClick: remove },
      ]}
    />
  );
}
