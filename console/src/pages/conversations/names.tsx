import { Badge } from '@mantine/core';
import type { Conversation, ConversationLabel } from '../../api/conversation-queries.ts';
import { Phone } from '../../components/values.tsx';

/** The client by their name, and without one by their number or address. */
export function ClientName({
  conversation,
}: {
  readonly conversation: Pick<Conversation, 'client' | 'client_name'>;
}) {
  const { client, client_name: name } = conversation;
  return name === '' ? <Phone number={client} /> : <bdi>{name}</bdi>;
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
