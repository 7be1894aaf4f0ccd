import { FileText, Image, Mic, Play, Sticker } from 'lucide-react';
import { useState } from 'react';
import { forAccount } from '../../api/acting.ts';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

const icons = { image: Image, video: Play, document: FileText, audio: Mic, sticker: Sticker };
export type MediaType = keyof typeof icons;
export const isMedia = (type: string): type is MediaType => Object.hasOwn(icons, type);

/** Milliseconds between two requests for a file that the service is fetching from the platform. */
const PENDING_MS = 3_000;

/** Whether a file is likely to be stored within seconds. A file that exceeds the budget can wait for days. */
const isFetchedSoon = (file: { readonly state: string; readonly problem: string | null } | undefined) =>
  file?.state === 'pending' && file.problem !== 'over-budget';

/** A file of a message: a picture, film or sound to be seen and heard here, another one to be saved. */
export function MediaFile({
  type,
  id,
  isVoice,
  name,
}: {
  readonly type: MediaType;
  /** '' for a message of before files were kept. */
  readonly id: string;
  readonly isVoice: boolean;
  readonly name: string;
}) {
  const { conversations: t } = useTexts();
  const [isBroken, setBroken] = useState(false);
  const { data } = useAnswer('/v1/media/{id}', byId(id), {
    enabled: id !== '',
    refetchInterval: ({ state }) => (isFetchedSoon(state.data) ? PENDING_MS : false),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = isVoice ? t.types.voice : t.types[type];
  const label = name === '' ? title : `${title}: ${name}`;
  const address = forAccount(`/v1/media/${id}/file`);
  const onError = () => setBroken(true);
  if (data?.state === 'stored' && data.shown && !isBroken) {
    switch (type) {
      case 'image':
      case 'sticker':
        return (
          <a href={address} target="_blank" rel="noreferrer" className={`bubble-picture ${type}`}>
            <img src={address} alt={label} loading="lazy" onError={onError} />
          </a>
        );
      case 'video':
        // biome-ignore lint/a11y/useMediaCaption: the files come from clients and have no captions
        return <video src={address} controls preload="metadata" aria-label={label} onError={onError} />;
      case 'audio':
        // biome-ignore lint/a11y/useMediaCaption: the files come from clients and have no captions
        return <audio src={address} controls preload="metadata" aria-label={label} onError={onError} />;
    }
  }
  const Icon = icons[type];
  const isFull = data?.problem === 'over-budget';
  return (
    <span className="bubble-file">
      <Icon size={22} aria-hidden />
      <span>
        {title}
        {name !== '' && (
          <>
            <br />
            <bdi>{name}</bdi>
          </>
        )}
        {data?.state === 'stored' && (
          <>
            <br />
            <a href={address} download={name || true}>
              {t.saveFile}
            </a>
          </>
        )}
        {data?.state === 'pending' && <small>{isFull ? t.fileWaits : t.filePending}</small>}
        {data?.state === 'failed' && <small>{isFull ? t.fileGivenUp : t.fileFailed}</small>}
      </span>
    </span>
  );
}
