import { SegmentedControl } from '@mantine/core';
import { useLocation } from 'wouter';
import { useFilters } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { ChatForm } from './chat-form.tsx';
import { SmsForm } from './sms-form.tsx';
import '../../features/campaigns/send.css';

/** Composing and sending, with what it costs and when it is through before one presses. */
export default function Send() {
  const { send: t, messages } = useTexts();
  const [, navigate] = useLocation();
  const filters = useFilters(['channel']);
  const isChat = filters.values.channel === 'chat';
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <SegmentedControl
          aria-label={t.channel}
          value={isChat ? 'chat' : 'sms'}
          onChange={(value) => {
            if (value === 'mail') navigate('/mail-campaigns/new');
            else filters.set('channel', value === 'chat' ? 'chat' : '');
          }}
          data={[
            { value: 'sms', label: t.sms },
            { value: 'chat', label: t.chat },
            { value: 'mail', label: messages.channels.mail },
          ]}
        />
      }
    >
      {isChat ? <ChatForm /> : <SmsForm />}
    </Page>
  );
}
