import { Stack, Title } from '@mantine/core';
import { MailOpen } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Conversation } from '../../api/conversation-queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Copy } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { useAttempt } from '../../components/notify.ts';
import { TextLink } from '../../components/text.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useChannelName } from '../../features/messages/channels.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Assignee, useChange } from './assign.tsx';
import type { OpenConversation } from './conversation.ts';
import { Labels } from './conversation-labels.tsx';
import { ClientName } from './names.tsx';

const isPhone = (client: string) => /^\+?\d{6,15}$/.test(client.replaceAll('-', ''));

/** The client of a conversation, who answers it, its labels, and what leads to the rest of the account. */
export function Details({
  conversation,
  onChanged,
  onUnread,
}: {
  readonly conversation: OpenConversation;
  readonly onChanged: (row: Conversation) => void;
  /** Called after the conversation was marked as unread, which closes it. */
  readonly onUnread: () => void;
}) {
  const { conversations: t } = useTexts();
  const mayRead = useMay('viewer');
  const nameOf = useChannelName();
  const change = useChange(conversation, onChanged);
  const attempt = useAttempt();
  const { id, client: number, sender, channel, client_wrote_at } = conversation;
  async function markUnread() {
    onUnread();
    await attempt(() => client.POST('/v1/conversations/{id}/read', { ...byId(id), body: { up_to: null } }));
  }
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h5" className="break-anywhere">
          <ClientName conversation={conversation} />
        </Title>
        <span className="details-number">
          <Phone number={number} /> <Copy value={number} />
        </span>
      </div>
      <Assignee conversation={conversation} onChange={change} />
      <Labels conversation={conversation} onChange={change} />
      <Facts
        rows={[
          [t.channel, nameOf(channel)],
          [t.sender, <Phone key="sender" number={sender} />],
          [t.firstWrote, <Time key="wrote" at={client_wrote_at} />],
        ]}
      />
      {mayRead && isPhone(number) && (
        <Stack gap={4}>
          <TextLink href={`/recipients/${number}`} size="sm">
            {t.contact}
          </TextLink>
          <TextLink href={`/messages?by=phone&q=${encodeURIComponent(number)}`} size="sm">
            {t.messages}
          </TextLink>
        </Stack>
      )}
      <div>
        <Action icon={MailOpen} variant="default" size="xs" onClick={() => void markUnread()}>
          {t.markUnread}
        </Action>
      </div>
    </Stack>
  );
}
