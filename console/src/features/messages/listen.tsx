import { Group } from '@mantine/core';
import { Volume2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client } from '../../api/client.ts';
import type { RequestBody } from '../../api/operations.ts';
import { Action } from '../../components/action.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

type Speech = Required<RequestBody<'/v1/speech/preview'>>;

/** Plays the speech of a call. */
export function Listen({
  speech,
  disabled = false,
}: {
  readonly speech: Speech;
  readonly disabled?: boolean;
}) {
  const { send } = useTexts();
  const t = send.aloud;
  const { text, voice, rate } = speech;
  const wanted = JSON.stringify({ text, voice, rate });
  const [audio, setAudio] = useState<{ readonly of: string; readonly url: string }>();
  useEffect(() => {
    return () => {
      if (audio) URL.revokeObjectURL(audio.url);
    };
  }, [audio]);
  const { busy, error, run } = useTask(async () => {
    const spoken = await client.POST('/v1/speech/preview', { body: { text, voice, rate } });
    setAudio({ of: wanted, url: URL.createObjectURL(await spoken.blob()) });
  });
  return (
    <>
      <Group gap="sm">
        <Action
          icon={Volume2}
          size="xs"
          variant="default"
          loading={busy}
          disabled={disabled}
          onClick={() => void run()}
        >
          {t.listen}
        </Action>
        {audio?.of === wanted && (
          // biome-ignore lint/a11y/useMediaCaption: the spoken text is displayed above
          <audio controls autoPlay src={audio.url} aria-label={t.preview} />
        )}
      </Group>
      <ErrorNote error={error} />
    </>
  );
}
