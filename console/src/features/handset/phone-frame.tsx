import type { ReactNode } from 'react';
import { Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import './handset.css';

/** The screen of a phone with a received message or call. It is as high as its content, within limits. */
export function PhoneFrame({
  sender,
  channel,
  children,
}: {
  readonly sender: string;
  readonly channel: 'sms' | 'chat' | 'voice';
  readonly children: ReactNode;
}) {
  const { handset, messages } = useTexts();
  return (
    <section className="handset handset-preview" aria-label={handset.preview}>
      <div className="handset-screen">
        <header className="handset-sender">
          <Phone number={sender} />
          <small>{messages.channels[channel]}</small>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long messages are scrolled with the keyboard too */}
        <div className="handset-body bubbles" tabIndex={0}>
          {children}
        </div>
      </div>
    </section>
  );
}
