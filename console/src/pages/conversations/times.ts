import { useTimeZone } from '../../api/session-context.ts';
import { localOf } from '../../components/time-zone.ts';
import { timeFormat } from '../../i18n/formatters.ts';
import { localeOf } from '../../i18n/languages.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 6;

/** Days and times as an inbox has them, in the zone of the page. */
export function useInboxTimes() {
  const { conversations: t } = useTexts();
  const locale = localeOf(useLanguage());
  const timeZone = useTimeZone();
  const format = (at: string, options: Intl.DateTimeFormatOptions) =>
    timeFormat(locale, { ...options, timeZone }).format(new Date(at));
  /** `2026-03-24` in the zone. */
  const dayOf = (at: string) => localOf(Date.parse(at), timeZone).slice(0, 10);
  const daysAgo = (at: string) =>
    Math.round((Date.parse(dayOf(new Date().toISOString())) - Date.parse(dayOf(at))) / DAY_MS);
  return {
    dayOf,
    /** The day above its messages. */
    day(at: string): string {
      const ago = daysAgo(at);
      if (ago === 0) return t.today;
      if (ago === 1) return t.yesterday;
      return format(at, {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        ...(ago > 180 && { year: 'numeric' }),
      });
    },
    /** Short form for a list. */
    short(at: string): string {
      const ago = daysAgo(at);
      if (ago === 0) return format(at, { hour: '2-digit', minute: '2-digit' });
      if (ago === 1) return t.yesterday;
      if (ago <= WEEK_DAYS) return format(at, { weekday: 'short' });
      return format(at, { day: 'numeric', month: 'numeric', ...(ago > 300 && { year: '2-digit' }) });
    },
  };
}
