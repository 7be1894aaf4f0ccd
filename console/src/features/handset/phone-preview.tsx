import type { ChatContent } from '../../api/sandbox-phone.ts';
import { Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChatMessage } from './chat-message.tsx';
import './handset.css';

/** A chat message as a phone displays it. The buttons of the preview do nothing. */
export function PhonePreview({
  content,
  sender,
}: {
  readonly content: ChatContent;
  readonly sender: string;
}) {
  const { handset } = useTexts();
  return (
    <section className="handset handset-preview" aria-label={handset.preview}>
      <div className="handset-screen">
        <header className="handset-status">
          <span />
          <span className="handset-number">
            <Phone number={sender} />
          </span>
          <span />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long messages are scrolled with the keyboard too */}
        <div className="handset-body bubbles" tabIndex={0}>
          <div className="bubble-row">
            <ChatMessage content={content} />
          </div>
        </div>
      </div>
    </section>
  );
}
