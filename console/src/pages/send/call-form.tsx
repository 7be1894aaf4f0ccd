import type { ComposerProps } from './send-form.tsx';
import SmsForm from './sms-form.tsx';

/** A text that is read aloud to phones, contact lists or a file. */
export default function CallForm(props: ComposerProps) {
  return <SmsForm {...props} isCall />;
}
