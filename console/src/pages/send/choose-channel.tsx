import { Radio } from '@mantine/core';
import { type LucideIcon, Mail, MessageCircle, MessageSquareText, Phone, ShieldCheck } from 'lucide-react';
import { useId } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { amountText } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { useComposerTexts } from './use-composer-texts.ts';
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

/** The first choice of a message: its channel, with the price of each to a phone of the home country. */
export function ChooseChannel({
  value,
  onChange,
}: {
  readonly value: SendChannel;
  readonly onChange: (channel: SendChannel) => unknown;
}) {
  const { send: t, messages } = useTexts();
  const own = useComposerTexts();
  const language = useLanguage();
  const id = useId();
  const { data: prices } = useAnswer('/v1/prices');
  const labels = {
    sms: t.sms,
    chat: t.chat,
    mail: messages.channels.mail,
    voice: messages.channels.voice,
    code: t.code.channel,
  };
  return (
    <Radio.Group
      label={t.channel}
      labelProps={{ className: 'visually-hidden' }}
      value={value}
      onChange={(channel) => onChange(channel as SendChannel)}
    >
      <div className="channel-choice">
        {sendChannels.map((channel) => {
          const Icon = icons[channel];
          const price = prices?.[channel === 'code' ? 'sms' : channel];
          return (
            <Radio.Card
              key={channel}
              value={channel}
              className="channel-card"
              aria-label={labels[channel]}
              aria-describedby={`${id}-${channel}`}
            >
              <Icon size={18} aria-hidden />
              {labels[channel]}
              <small id={`${id}-${channel}`}>
                {price !== undefined && own.prices[channel](amountText(price, language))}
              </small>
            </Radio.Card>
          );
        })}
      </div>
    </Radio.Group>
  );
}
