import { ActionIcon, Button, FileButton, Stack, UnstyledButton } from '@mantine/core';
import { Images, ImageUp, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useDialog, useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { Empty, ErrorNote, Fetched } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted } from '../../components/text.tsx';
import { usePictureTexts } from './texts.ts';
import './pictures.css';

const PICTURES = '/v1/pictures';
const ACCEPTED = 'image/jpeg,image/png,image/gif';

type UploadedPicture = Answer<typeof PICTURES>['pictures'][number];

/** A button that opens the pictures of the account, to choose one or to upload another. */
export function ChoosePicture({ onChosen }: { readonly onChosen: (picture: UploadedPicture) => unknown }) {
  const t = usePictureTexts();
  const { open } = useDialogs();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Images size={15} aria-hidden />}
      onClick={() => open(t.title, <Pictures onChosen={onChosen} />, { size: 'lg' })}
    >
      {t.choose}
    </Button>
  );
}

function Pictures({ onChosen }: { readonly onChosen: (picture: UploadedPicture) => unknown }) {
  const t = usePictureTexts();
  const query = useAnswer(PICTURES);
  const dialog = useDialog();
  const refresh = useRefresh();
  const { busy, error, run } = useTask(async (picture: UploadedPicture) => {
    await onChosen(picture);
    dialog?.close();
  });
  const upload = useTask(async (file: File | null) => {
    if (!file) return;
    const picture = await client.POST(PICTURES, { query: { name: file.name }, body: file });
    await refresh(PICTURES);
    await run(picture);
  });
  return (
    <Stack>
      <Muted>{t.limits}</Muted>
      <div>
        <FileButton accept={ACCEPTED} onChange={(file) => void upload.run(file)}>
          {(props) => (
            <Button {...props} loading={upload.busy || busy} leftSection={<ImageUp size={16} aria-hidden />}>
              {t.upload}
            </Button>
          )}
        </FileButton>
      </div>
      <ErrorNote error={upload.error ?? error} />
      <Fetched query={query}>
        {({ pictures }) =>
          pictures.length === 0 ? (
            <Empty icon={Images} title={t.none} hint={t.noneHint} />
          ) : (
            <ul className="pictures">
              {pictures.map((picture) => (
                <Row key={picture.id} picture={picture} onChosen={() => void run(picture)} />
              ))}
            </ul>
          )
        }
      </Fetched>
    </Stack>
  );
}

function Row({
  picture: { id, name, url },
  onChosen,
}: {
  readonly picture: UploadedPicture;
  readonly onChosen: () => void;
}) {
  const t = usePictureTexts();
  const { ask } = useDialogs();
  const done = useDone();
  const shown = name || t.unnamed;
  return (
    <li>
      <UnstyledButton aria-label={t.use(shown)} onClick={onChosen} className="pictures-choose">
        <img src={url} alt="" loading="lazy" />
        <bdi>{shown}</bdi>
      </UnstyledButton>
      <ActionIcon
        variant="default"
        aria-label={t.remove(shown)}
        onClick={() =>
          ask({
            title: t.removeTitle,
            text: t.removeText,
            action: t.removeAction,
            keep: t.keep,
            run: async () => {
              await client.DELETE('/v1/pictures/{id}', byId(id));
              await done(t.removed, PICTURES, '/v1/account');
            },
          })
        }
      >
        <Trash2 size={15} aria-hidden />
      </ActionIcon>
    </li>
  );
}
