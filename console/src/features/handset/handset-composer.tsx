import { ActionIcon, Menu } from '@mantine/core';
import { FileText, Image, MapPin, Mic, Paperclip, X } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import type { FileToSend } from '../../api/sandbox-phone.ts';
import { writtenText } from '../../components/direction.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { recorderOf, VoiceRecorder } from './recorder.tsx';
import { LineForm } from './screen.tsx';

/** Initial location of a sandbox phone. */
const HERE = '32.0853, 34.7818';

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place as it is written: `32.0853, 34.7818`; undefined for anything else. */
function placeOf(text: string): Place | undefined {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latitude, longitude] = numbers;
  if (numbers.length !== 2 || latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Type of the chat message for a file, by its MIME type. */
function kindOf(file: File): FileToSend['type'] {
  const kind = file.type.split('/')[0];
  return kind === 'image' || kind === 'video' ? kind : 'document';
}

/** Message input, in chat with attachments: files, voice notes and locations. */
export function Composer({
  onSend,
  onFile,
  onLocation,
  onProblem,
  children,
}: {
  readonly onSend: (text: string) => Promise<boolean>;
  readonly onFile?: (file: FileToSend) => Promise<boolean>;
  readonly onLocation?: (place: Place) => Promise<boolean>;
  readonly onProblem: (problem: string) => void;
  readonly children?: ReactNode;
}) {
  const { handset } = useTexts();
  const [mode, setMode] = useState<'text' | 'place' | MediaRecorder>('text');
  const back = () => setMode('text');

  if (onFile && mode instanceof MediaRecorder) {
    return (
      <VoiceRecorder
        recorder={mode}
        onDiscard={back}
        onDone={async (content) => {
          if (await onFile({ type: 'audio', content, name: '', voice: true })) back();
        }}
      />
    );
  }
  if (onLocation && mode === 'place') {
    return (
      <LineForm
        label={handset.place}
        action={handset.send}
        initial={HERE}
        dir="ltr"
        data-autofocus
        isReady={(text) => placeOf(text) !== undefined}
        onSend={async (text) => {
          const isSent = await onLocation(placeOf(text)!);
          if (isSent) back();
          return isSent;
        }}
      >
        <ActionIcon variant="subtle" color="gray" onClick={back} aria-label={handset.backToWriting}>
          <X size={17} />
        </ActionIcon>
      </LineForm>
    );
  }

  return (
    <LineForm label={handset.write} action={handset.send} {...writtenText} onSend={onSend}>
      {children}
      {onFile && (
        <Attachments
          onFile={onFile}
          onRecorder={setMode}
          onPlace={() => setMode('place')}
          onProblem={onProblem}
        />
      )}
    </LineForm>
  );
}

/** Attachment button with its menu. */
function Attachments({
  onFile,
  onRecorder,
  onPlace,
  onProblem,
}: {
  readonly onFile: (file: FileToSend) => Promise<boolean>;
  readonly onRecorder: (recorder: MediaRecorder) => void;
  readonly onPlace: () => void;
  readonly onProblem: (problem: string) => void;
}) {
  const { handset } = useTexts();
  const picker = useRef<HTMLInputElement>(null);
  const soundPicker = useRef<HTMLInputElement>(null);
  const documentPicker = useRef<HTMLInputElement>(null);

  async function record() {
    const recorder = await recorderOf();
    if (recorder) return onRecorder(recorder);
    onProblem(handset.noMicrophone);
    soundPicker.current?.click();
  }
  const files = (as: (file: File) => Omit<FileToSend, 'content' | 'name'>) => ({
    type: 'file' as const,
    hidden: true,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      const [file] = event.currentTarget.files ?? [];
      if (file) void onFile({ ...as(file), content: file, name: file.name });
      event.currentTarget.value = '';
    },
  });
  return (
    <>
      <Menu position="top-start" withinPortal trapFocus>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={handset.attach}>
            <Paperclip size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Image size={16} />} onClick={() => picker.current?.click()}>
            {handset.attachPicture}
          </Menu.Item>
          <Menu.Item leftSection={<FileText size={16} />} onClick={() => documentPicker.current?.click()}>
            {handset.attachDocument}
          </Menu.Item>
          <Menu.Item leftSection={<Mic size={16} />} onClick={() => void record()}>
            {handset.attachVoice}
          </Menu.Item>
          <Menu.Item leftSection={<MapPin size={16} />} onClick={onPlace}>
            {handset.attachLocation}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={picker}
        accept="image/*,video/*"
        aria-label={handset.attachPicture}
        {...files((file) => ({ type: kindOf(file), voice: false }))}
      />
      <input
        ref={documentPicker}
        aria-label={handset.attachDocument}
        {...files(() => ({ type: 'document', voice: false }))}
      />
      <input
        ref={soundPicker}
        accept="audio/*"
        aria-label={handset.attachVoice}
        {...files(() => ({ type: 'audio', voice: true }))}
      />
    </>
  );
}
