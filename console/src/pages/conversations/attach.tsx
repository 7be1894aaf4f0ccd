import { ActionIcon, FileButton, Loader, Tooltip } from '@mantine/core';
import { Paperclip, X } from 'lucide-react';
import { client } from '../../api/client.ts';
import { useTask } from '../../components/task.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { MediaType } from './media.tsx';

/** A file that was uploaded to be sent. */
export interface AttachedFile {
  readonly id: string;
  readonly name: string;
  readonly kind: MediaType;
}

/** Type of the chat message for a file, by its MIME type; unsupported types are sent as documents. */
function kindOf(type: string): MediaType {
  if (type === 'image/jpeg' || type === 'image/png') return 'image';
  if (type === 'image/webp') return 'sticker';
  if (type === 'video/mp4' || type === 'video/3gpp') return 'video';
  return type.startsWith('audio/') ? 'audio' : 'document';
}

/** Sounds and stickers have no text below them. */
export const hasCaption = ({ kind }: AttachedFile): boolean => kind !== 'audio' && kind !== 'sticker';

async function upload(file: File): Promise<AttachedFile> {
  const kind = kindOf(file.type);
  const data = await client.POST('/v1/media', {
    query: { kind, file_name: file.name },
    body: file,
  });
  return { id: data.id, name: file.name, kind };
}

/** Chooses a file and uploads it; what is refused is `error` of the task. */
export function useAttaching(onAttached: (file: AttachedFile) => void) {
  return useTask(async (file: File | null) => {
    if (file) onAttached(await upload(file));
  });
}

/** The button that chooses a file. */
export function AttachButton({ attaching }: { readonly attaching: ReturnType<typeof useAttaching> }) {
  const { conversations: t } = useTexts();
  const { busy, run } = attaching;
  return (
    <FileButton onChange={(file) => void run(file)}>
      {(props) => (
        <Tooltip label={t.attach}>
          <ActionIcon
            {...props}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t.attach}
            disabled={busy}
          >
            {busy ? <Loader size={16} aria-label={t.uploading} /> : <Paperclip size={19} />}
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  );
}

/** The file that will be sent. */
export function AttachedNote({
  file: { name },
  onRemove,
}: {
  readonly file: AttachedFile;
  readonly onRemove: () => void;
}) {
  const { conversations: t } = useTexts();
  return (
    <div className="composer-quoted">
      <Paperclip size={14} aria-hidden />
      <span>
        <bdi>{name}</bdi>
      </span>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t.detach} onClick={onRemove}>
        <X size={15} />
      </ActionIcon>
    </div>
  );
}
