import type { ChatContent } from '../../api/sandbox-phone.ts';
import { ChatMessage } from './chat-message.tsx';
import { PhoneFrame } from './phone-frame.tsx';

/** A message as a phone displays it. The buttons of the preview do nothing. */
export function PhonePreview({
  content,
  sender,
  channel,
}: {
  readonly content: ChatContent;
  readonly sender: string;
  readonly channel: 'sms' | 'chat';
}) {
  return (
    <PhoneFrame sender={sender} channel={channel}>
      <div className="bubble-row">
        <ChatMessage content={content} />
      </div>
    </PhoneFrame>
  );
}

/** A text message as a phone displays it. */
export function TextPreview({ text, sender }: { readonly text: string; readonly sender: string }) {
  const content = { header: null, body: text, footer: '', buttons: [], cards: [] };
  return <PhonePreview sender={sender} channel="sms" content={content} />;
}
