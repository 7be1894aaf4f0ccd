import { VisuallyHidden } from '@mantine/core';
import { type LucideIcon, Mail, MessageCircle, MessageSquareText, Phone, Send } from 'lucide-react';
import type { Channel } from '../../api/message-types.ts';
import { useChannelName } from './channels.ts';
import './channel-icon.css';

const icons: Readonly<Partial<Record<string, LucideIcon>>> = {
  sms: MessageSquareText,
  chat: MessageCircle,
  mail: Mail,
  voice: Phone,
};

/** A channel by its icon, with its name for screen readers and in a tooltip. */
export function ChannelIcon({ channel }: { readonly channel: Channel }) {
  const name = useChannelName()(channel);
  const Icon = icons[channel] ?? Send;
  return (
    <span className="channel-icon" title={name}>
      <Icon size={16} aria-hidden />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
}
