import { ActionIcon, Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Formats in order of preference: the one that phones send, then those that browsers can record. */
const TYPES = ['audio/ogg;codecs=opus', 'audio/mp4', 'audio/webm;codecs=opus'];
const LONGEST_SECONDS = 300;

/** A recorder that is already recording from the microphone; undefined without a microphone or permission. */
export async function recorderOf(): Promise<MediaRecorder | undefined> {
  if (!('MediaRecorder' in window)) return undefined;
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  // Missing on pages loaded over http from another machine.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (mimeType === undefined || !devices) return undefined;
  const stream = await devices.getUserMedia({ audio: true }).catch(() => undefined);
  if (!stream) return undefined;
  return new MediaRecorder(stream, { mimeType });
}

/** A voice note that is being recorded, with buttons to send or discard it. */
export function VoiceRecorder({
  recorder,
  onDone,
  onDiscard,
}: {
  readonly recorder: MediaRecorder;
  readonly onDone: (sound: Blob) => Promise<void>;
  readonly onDiscard: () => void;
}) {
  const { handset } = useTexts();
  const [seconds, setSeconds] = useState(0);
  const [busy, setBusy] = useState(false);
  const pieces = useRef<Blob[]>([]);

  useEffect(() => {
    const keep = ({ data }: BlobEvent) => {
      pieces.current.push(data);
    };
    recorder.addEventListener('dataavailable', keep);
    if (recorder.state === 'inactive') recorder.start();
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => {
      clearInterval(timer);
      recorder.removeEventListener('dataavailable', keep);
      if (recorder.state !== 'inactive') recorder.stop();
      for (const track of recorder.stream.getTracks()) track.stop();
    };
  }, [recorder]);

  async function send() {
    setBusy(true);
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
    recorder.stop();
    await stopped;
    await onDone(new Blob(pieces.current, { type: recorder.mimeType }));
    setBusy(false);
  }
  const isLong = seconds >= LONGEST_SECONDS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent once, when it is as long as it may be
  useEffect(() => {
    if (isLong) void send();
  }, [isLong]);

  return (
    <div className="handset-compose">
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={busy}
        onClick={onDiscard}
        aria-label={handset.cancelRecording}
      >
        <Trash2 size={17} />
      </ActionIcon>
      <span className="recording" role="timer">
        {handset.recordingFor(seconds)}
      </span>
      <Button size="compact-sm" radius="xl" loading={busy} autoFocus onClick={() => void send()}>
        {handset.send}
      </Button>
    </div>
  );
}
