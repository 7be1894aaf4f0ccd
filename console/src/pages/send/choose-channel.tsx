import { Radio } from '@mantine/core';
import { type LucideIcon, Mail, MessageCircle, MessageSquareText, Phone, ShieldCheck } from 'lucide-react';
import { useTexts } from '../../i18n/use-texts.tsx';
import './send.css';

/** Kinds of composers, in the order of the choice. */
export const sendChannels = ['sms', 'chat', 'mail', 'voice', 'code'] as const;
export type SendChannel = (typeof sendChannels)[number];

const icons: Readonly<Record<SendChannel, LucideIcon>> = {
  sms: MessageSquareText,
  chat: MessageCircle,
  mail: Mail,
  voice: Phone,
  code: ShieldCheck,
};

/** The first choice of a message: its channel. */
export function ChooseChannel({
  value,
  onChange,
}: {
  readonly value: SendChannel;
  readonly onChange: (channel: SendChannel) => unknown;
}) {
  const { send: t, messages } = useTexts();
  const labels = {
    sms: t.sms,
    chat: t.chat,
    mail: messages.channels.mail,
    voice: messages.channels.voice,
    code: t.code.channel,
  };
  return (
    <Radio.Group label={t.channel} value={value} onChange={(channel) => onChange(channel as SendChannel)}>
      <div className="channel-choice">
        {sendChannels.map((channel) => {
          const Icon = icons[channel];
          return (
            <Radio.Card key={channel} value={channel} className="channel-card">
              <Icon size={18} aria-hidden />
              {labels[channel]}
            </Radio.Card>
          );
        })}
      </div>
    </Radio.Group>
  );
}
