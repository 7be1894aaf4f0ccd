import { FileText, Image, Mic, Play, Sticker } from 'lucide-react';
import { useState } from 'react';
import type { ChatMedia } from '../../api/sandbox-phone.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

const icons = { image: Image, video: Play, audio: Mic, document: FileText, sticker: Sticker };

/** A file as a phone shows it: seen, heard or opened; what the browser cannot show is a tile that opens it. */
export function MediaFile({ media }: { readonly media: ChatMedia }) {
  const { handset } = useTexts();
  const { type, url, fileName, voice } = media;
  const [failed, setFailed] = useState(false);
  const name = voice ? handset.voiceNote : handset[type];
  const fail = () => setFailed(true);
  if (!failed) {
    switch (type) {
      case 'image':
      case 'sticker':
        return <img src={url} alt={name} className={`bubble-media ${type}`} onError={fail} />;
      case 'video':
        // biome-ignore lint/a11y/useMediaCaption: the files come from other people and have no captions
        return <video src={url} controls className="bubble-media" onError={fail} aria-label={name} />;
      case 'audio':
        // biome-ignore lint/a11y/useMediaCaption: the files come from other people and have no captions
        return <audio src={url} controls className="bubble-audio" onError={fail} aria-label={name} />;
    }
  }
  const Icon = icons[type];
  return (
    <a href={url} download={fileName || true} className="bubble-media bubble-tile">
      <Icon size={26} aria-hidden />
      <span>{name}</span>
      <bdi>{fileName}</bdi>
    </a>
  );
}
