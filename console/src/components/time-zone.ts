import { timeFormat } from '../i18n/formatters.ts';

/**
 * When it is what a clock in a time zone shows.
 *
 * @param local `2026-03-24T07:31`, as inputs for dates and times have it
 */
export function instantOf(local: string, zone: string): Date {
  const shown = Date.parse(`${local}Z`);
  // Twice: on a day when clocks change, the offset at the first guess may be that of the other side.
  const guess = shown - offsetAt(shown, zone);
  return new Date(shown - offsetAt(guess, zone));
}

/** Local date and time in a time zone, in the form that date and time inputs need. */
export function localOf(at: number, zone: string): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 16);
}

/** How far a zone is before UTC, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const parts = timeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
