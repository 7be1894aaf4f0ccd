import { MapPin } from 'lucide-react';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Linked } from './linked.tsx';
import { MediaFile } from './media-file.tsx';
import type { Bubble } from './phone-conversations.ts';

/** A text, or what the phone itself has sent: a file with its caption, or a place. */
export function TextBubble({ bubble }: { readonly bubble: Exclude<Bubble, { kind: 'rich' }> }) {
  const { handset } = useTexts();
  const { kind, text } = bubble;
  const media = bubble.kind === 'sent' ? bubble.media : null;
  const location = bubble.kind === 'sent' ? bubble.location : null;
  if (media) {
    return (
      <div className={`bubble ${kind} rich`}>
        <MediaFile media={media} />
        {text !== '' && (
          <p dir="auto">
            <Linked text={text} />
          </p>
        )}
      </div>
    );
  }
  return (
    <p className={`bubble ${kind}`} dir="auto">
      {location && <MapPin size={15} role="img" aria-label={handset.location} className="bubble-pin" />}
      <Linked text={text} />
    </p>
  );
}
