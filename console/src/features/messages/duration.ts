import type { Dictionary } from '../../i18n/en.ts';

/** How long something took, in the unit that fits. */
export function durationText(milliseconds: number, { messages: { one: t } }: Dictionary): string {
  if (milliseconds < 1_000) return t.milliseconds(Math.max(0, milliseconds));
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return t.seconds(seconds.toFixed(seconds < 10 ? 1 : 0));
  if (seconds < 5_400) return t.minutes(Math.round(seconds / 60));
  return t.hours(Math.round(seconds / 3_600));
}
