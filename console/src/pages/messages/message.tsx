import { useParams } from 'wouter';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { MessageActions } from '../../features/messages/message-actions.tsx';
import { MessageLead, MessageView, useMessage } from '../../features/messages/message-view.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** One message with its timeline. */
export default function OneMessage() {
  const { messages: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const query = useMessage(id);
  if (!query.data) {
    return (
      <Page title={t.oneTitle}>
        <Fetched query={query}>{() => null}</Fetched>
      </Page>
    );
  }
  const message = query.data;
  return (
    <Page
      title={t.one.title(message.phone)}
      lead={<MessageLead message={message} />}
      actions={<MessageActions message={message} />}
    >
      <MessageView message={message} />
    </Page>
  );
}
