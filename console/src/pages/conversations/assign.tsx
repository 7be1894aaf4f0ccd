import { NativeSelect } from '@mantine/core';
import { byId, client } from '../../api/client.ts';
import { type Conversation, useConversationAgents } from '../../api/conversation-queries.ts';
import type { RequestBody } from '../../api/operations.ts';
import { useSession } from '../../api/session-context.ts';
import { useAttempt } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

type Changes = RequestBody<'/v1/conversations/{id}', 'PATCH'>;

/** Changes a conversation and shows an error in a notification. */
export function useChange({ id }: Pick<Conversation, 'id'>, onChanged: (row: Conversation) => void) {
  const attempt = useAttempt();
  return (changes: Changes) =>
    attempt(async () => {
      const data = await client.PATCH('/v1/conversations/{id}', { ...byId(id), body: changes });
      onChanged(data);
    });
}

/** Choice of the assignee: the signed-in person first, then nobody and the others. */
export function Assignee({
  conversation: { assignee_id },
  onChange,
}: {
  readonly conversation: Conversation;
  readonly onChange: (changes: Changes) => Promise<boolean>;
}) {
  const { conversations: t } = useTexts();
  const { person } = useSession();
  const agents = useConversationAgents();
  const others = agents.filter(({ id }) => id !== person.id);
  const me = agents.some(({ id }) => id === person.id);
  const known = assignee_id === null || agents.some(({ id }) => id === assignee_id);
  return (
    <NativeSelect
      size="xs"
      label={t.assignee}
      value={assignee_id ?? ''}
      onChange={(event) => void onChange({ assignee_id: event.currentTarget.value || null })}
      data={[
        { value: '', label: t.nobody },
        ...(me ? [{ value: person.id, label: `${t.you} (${person.name})` }] : []),
        ...others.map(({ id, name }) => ({ value: id, label: name })),
        ...(known ? [] : [{ value: assignee_id, label: '–' }]),
      ]}
    />
  );
}
