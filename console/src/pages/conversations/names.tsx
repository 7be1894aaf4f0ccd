import { Badge } from '@mantine/core';
import { Mail, MessageCircle, MessageSquareText, Phone as PhoneIcon } from 'lucide-react';
import type { Conversation, ConversationLabel } from '../../api/conversation-queries.ts';
import { Phone } from '../../components/values.tsx';
import { useChannelName } from '../../features/messages/channels.ts';

/** The client by their name, and without one by their number or address. */
export function ClientName({
  conversation,
}: {
  readonly conversation: Pick<Conversation, 'client' | 'client_name'>;
}) {
  const { client, client_name: name } = conversation;
  return name === '' ? <Phone number={client} /> : <bdi>{name}</bdi>;
}

const icons = { sms: MessageSquareText, chat: MessageCircle, mail: Mail, voice: PhoneIcon };

/** The channel as a picture with a name. */
export function ChannelIcon({
  channel,
  size = 15,
}: {
  readonly channel: Conversation['channel'];
  readonly size?: number;
}) {
  const nameOf = useChannelName();
  const Icon = icons[channel];
  return <Icon size={size} role="img" aria-label={nameOf(channel)} />;
}

/** A label of conversations. */
export function LabelBadge({
  label: { name, color },
}: {
  readonly label: Pick<ConversationLabel, 'name' | 'color'>;
}) {
  return (
    <Badge component="span" variant="light" color={color} size="sm" tt="none" fw={600} maw="9rem">
      <bdi>{name}</bdi>
    </Badge>
  );
}
