import { useTimeZone } from '../api/session-context.ts';
import { useCoversList } from './side-panel.tsx';
import { localOf } from './time-zone.ts';
import { Time } from './values.tsx';

const DAY_LENGTH = '2026-03-24'.length;
const YEAR_LENGTH = '2026'.length;

/** A time in a row: to the minute, and on phones the hour alone on the same day, and the date without the year in the same year. */
export function RowTime({ at }: { readonly at: string }) {
  const isPhone = useCoversList();
  const zone = useTimeZone();
  return <Time at={at} to={isPhone ? shortForm(at, zone) : 'minute'} />;
}

function shortForm(at: string, zone: string): 'date' | Intl.DateTimeFormatOptions {
  const [then, now] = [localOf(Date.parse(at), zone), localOf(Date.now(), zone)];
  const isSame = (length: number) => then.slice(0, length) === now.slice(0, length);
  if (isSame(DAY_LENGTH)) return { timeStyle: 'short' };
  if (isSame(YEAR_LENGTH)) return { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
  return 'date';
}
