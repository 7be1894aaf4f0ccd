import { useLocalStorage } from '@mantine/hooks';

const stored = (key: string) => ({ key, defaultValue: false, getInitialValueInEffect: false });

/** Whether this browser shows notifications of client messages; off by default. */
export const useAlertsWanted = () => useLocalStorage<boolean>(stored('carillon-conversation-alerts'));

/** Whether notifications make a sound; off by default. */
export const useSoundWanted = () => useLocalStorage<boolean>(stored('carillon-conversation-sound'));

/** Hertz, and seconds from the beginning: two short notes. */
const NOTES = [
  [880, 0],
  [1174, 0.14],
] as const;
const NOTE_SECONDS = 0.12;
const VOLUME = 0.08;

/** Plays two short notes. Browsers play sound only after the person has clicked in the page. */
export function playSound(): void {
  const context = new AudioContext();
  for (const [frequency, at] of NOTES) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    volume.gain.value = VOLUME;
    tone.frequency.value = frequency;
    tone.connect(volume).connect(context.destination);
    tone.start(context.currentTime + at);
    tone.stop(context.currentTime + at + NOTE_SECONDS);
    tone.addEventListener('ended', () => {
      if (at > 0) void context.close();
    });
  }
}
