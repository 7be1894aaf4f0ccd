import { Copy, MessageCircle, RotateCcw, Send } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { MessageDetail } from '../../api/message-types.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { useTask } from '../../components/task.ts';
import { textsOfPages, useTexts } from '../../i18n/use-texts.tsx';
import { sendAddress } from '../composing/send-address.ts';
import { messageActions as en } from './message-action-texts.en.ts';
import { messageActions as he } from './message-action-texts.he.ts';

const useActionTexts = textsOfPages({ en, he });

/** Placeholder of the service for a secret. */
const HIDDEN = '••••••';

/**
 * Actions: retry a waiting message immediately; send a text, buttons or a carousel again from the composer; write to the recipient by
 * another channel.
 */
export function MessageActions({
  message: { id, channel, phone, text, waiting },
}: {
  readonly message: MessageDetail;
}) {
  const t = useTexts().messages.one;
  const other = useActionTexts();
  const maySend = useMay('sender');
  const attempt = useAttempt();
  const done = useDone();
  const { busy, run } = useTask(() =>
    attempt(async () => {
      await client.POST('/v1/messages/{id}/retry', byId(id));
      await done(t.retried, '/v1/messages/{id}');
    }),
  );
  const content = useAnswer('/v1/messages/{id}/content', byId(id), {
    enabled: channel === 'chat',
  });
  if (!maySend) return null;
  const isText = channel === 'sms' || channel === 'voice';
  const isRepeatable = isText
    ? text !== null && !text.includes(HIDDEN)
    : ['buttons', 'carousel'].includes(content.data?.chat?.kind ?? '');
  const retries = waiting && waiting.attempts > 0 && !waiting.paused && !waiting.held && !waiting.in_hand;
  return (
    <>
      {retries && Date.parse(waiting.due_at) > Date.now() && (
        <Action icon={RotateCcw} mirrored loading={busy} onClick={() => void run()}>
          {t.retryNow}
        </Action>
      )}
      {isRepeatable && (
        <Action icon={Copy} variant="default" href={sendAddress(channel, { again: id })}>
          {t.sendAgain}
        </Action>
      )}
      {isText && (
        <Action
          icon={MessageCircle}
          variant="default"
          href={`/send?channel=chat&to=${encodeURIComponent(phone)}`}
        >
          {other.chat}
        </Action>
      )}
      {channel === 'chat' && (
        <Action icon={Send} mirrored variant="default" href={`/send?to=${encodeURIComponent(phone)}`}>
          {other.sms}
        </Action>
      )}
    </>
  );
}
