import { Skeleton } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Muted } from '../../components/text.tsx';
import { localeOf } from '../../i18n/languages.ts';
import { textsOfPages, useLanguage } from '../../i18n/use-texts.tsx';
import { dayHours as en } from './texts.en.ts';
import { dayHours as he } from './texts.he.ts';
import './day-hours.css';

const useDayTexts = textsOfPages({ en, he });

const DAY = '/v1/sending-policy/day';
/** Hours between the marks below the band. */
const MARK_HOURS = 3;
const HOUR_MS = 3_600_000;
/** Share of the day from which a period has room for its times. */
const LABELLED = 0.15;

type Day = Answer<typeof DAY>;

/**
 * A band with the hours of the day on which a send starts. It marks the periods in which the sending policy and the hours of the
 * send permit it.
 *
 * @param at time of the send, ISO 8601; '' is now
 * @param hours hours of the send itself, `10:00-18:00`, or '' without them
 */
export function DayHours({
  at = '',
  hours = '',
  byRecipient,
}: {
  readonly at?: string;
  readonly hours?: string;
  /** Whether the time zone of each recipient decides. */
  readonly byRecipient: boolean;
}) {
  const t = useDayTexts();
  const language = useLanguage();
  const query = { ...(at !== '' && { at }), ...(hours !== '' && { sending_hours: hours }) };
  const { data: day } = useAnswer(DAY, { query });
  if (!day) return <Skeleton h={72} />;
  const locale = localeOf(language);
  const { time_zone: timeZone, starts_at: starts } = day;
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone,
  }).format(Date.parse(day.begins_at));
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const timeOf = (time: string) => clock.format(Date.parse(time));
  const spans = day.permitted.map(({ from, to }) => t.span(timeOf(from), timeOf(to)));
  return (
    <div className="day-hours">
      <div
        role="img"
        aria-label={spans.length === 0 ? t.never(date) : t.label(date, spans.join(', '))}
        className="day-hours-band"
      >
        {day.permitted.map(({ from, to }, index) => (
          <span key={from} className="day-hours-span" style={placeOf(day, from, to)}>
            {shareOf(day, from, to) >= LABELLED && spans[index]}
          </span>
        ))}
        {starts !== null && <span className="day-hours-start" style={placeOf(day, starts, starts)} />}
      </div>
      <div className="day-hours-marks" aria-hidden>
        {marksOf(day).map((time) => (
          <span key={time}>{timeOf(time)}</span>
        ))}
      </div>
      <Muted size="xs">
        {starts !== null && t.starts(timeOf(starts))} {t.zone(date, timeZone)} {byRecipient && t.ofRecipients}
      </Muted>
    </div>
  );
}

/** Share of the day until a time. Days on which clocks are changed have 23 or 25 hours. */
const shareUntil = ({ begins_at, ends_at }: Day, time: string) =>
  (Date.parse(time) - Date.parse(begins_at)) / (Date.parse(ends_at) - Date.parse(begins_at));

const shareOf = (day: Day, from: string, to: string) => shareUntil(day, to) - shareUntil(day, from);

const placeOf = (day: Day, from: string, to: string): CSSProperties => ({
  insetInlineStart: `${shareUntil(day, from) * 100}%`,
  insetInlineEnd: `${100 - shareUntil(day, to) * 100}%`,
});

function marksOf({ begins_at, ends_at }: Day): readonly string[] {
  const marks: string[] = [];
  for (let time = Date.parse(begins_at); time < Date.parse(ends_at); time += MARK_HOURS * HOUR_MS)
    marks.push(new Date(time).toISOString());
  return marks;
}
