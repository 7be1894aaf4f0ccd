import type { ReactNode } from 'react';
import { PhoneFrame } from './phone-frame.tsx';

/** A call as a phone gets it: who calls, and what it says, or nothing yet; below it `children`, such as its sound. */
export function CallPreview({
  text,
  sender,
  children,
}: {
  readonly text: string;
  readonly sender: string;
  readonly children: ReactNode;
}) {
  return (
    <PhoneFrame sender={sender} channel="voice">
      {text !== '' && (
        <div className="bubble-row">
          <div className="bubble received rich">
            <p dir="auto">{text}</p>
          </div>
        </div>
      )}
      <div className="handset-sound">{children}</div>
    </PhoneFrame>
  );
}
