import { SegmentedControl } from '@mantine/core';
import { isOneOf, useFilters } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { ChatForm } from './chat-form.tsx';
import { MailForm } from './mail-form.tsx';
import { SmsForm } from './sms-form.tsx';

const forms = { sms: SmsForm, chat: ChatForm, mail: MailForm } as const;
const names = ['sms', 'chat', 'mail'] as const;

/** Composing and sending, with the cost and the finishing time before one presses. */
export default function Send() {
  const { send: t, messages } = useTexts();
  const filters = useFilters(['channel']);
  const chosen = isOneOf(names, filters.values.channel) ? filters.values.channel : 'sms';
  const ChannelForm = forms[chosen];
  const labels = { sms: t.sms, chat: t.chat, mail: messages.channels.mail };
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <SegmentedControl
          aria-label={t.channel}
          value={chosen}
          onChange={(value) => filters.set('channel', value === 'sms' ? '' : value)}
          data={names.map((value) => ({ value, label: labels[value] }))}
        />
      }
    >
      <ChannelForm />
    </Page>
  );
}
