import { type LucideIcon, Mail, MessageCircle, MessageSquareText, Phone, Send } from 'lucide-react';
import { useChannelName } from './channels.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  sms: MessageSquareText,
  chat: MessageCircle,
  mail: Mail,
  voice: Phone,
};

/** A channel as an icon, with its name for screen readers and in a tooltip. */
export function ChannelIcon({ channel }: { readonly channel: string }) {
  const name = useChannelName()(channel);
  const Icon = icons[channel] ?? Send;
  return (
    <Icon size={15} role="img" aria-label={name}>
      <title>{name}</title>
    </Icon>
  );
}
