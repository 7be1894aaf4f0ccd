import { Badge, type MantineColor, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTimeZone } from '../api/session-context.ts';
import { type Language, localeOf } from '../i18n/languages.ts';
import { useLanguage } from '../i18n/use-texts.tsx';

/** A number, in the digits and separators of the language; the same from left to right in both. */
export function Count({ value }: { readonly value: number }) {
  const language = useLanguage();
  return (
    <bdi dir="ltr" className="figures">
      {value.toLocaleString(language)}
    </bdi>
  );
}

/** Formats an amount in credits. The service returns decimal text with at most four decimal places. */
export const amountText = (value: string, language: Language, sign = false): string =>
  Number(value).toLocaleString(language, {
    maximumFractionDigits: 4,
    signDisplay: sign ? 'exceptZero' : 'auto',
  });

/** An amount in credits, from left to right in both languages. */
export function Amount({ value, sign = false }: { readonly value: string; readonly sign?: boolean }) {
  const language = useLanguage();
  return (
    <bdi dir="ltr" className="figures">
      {amountText(value, language, sign)}
    </bdi>
  );
}

/** A phone number or sender, from left to right in both languages. International digits get their `+`. */
export function Phone({ number }: { readonly number: string }) {
  return (
    <bdi dir="ltr" className="figures">
      {/^[1-9]\d{9,14}$/.test(number) ? `+${number}` : number}
    </bdi>
  );
}

/** A URL that breaks where it is too long. */
export function Address({ url }: { readonly url: string }) {
  return (
    <Text span inherit className="break-anywhere">
      <bdi dir="ltr">{url}</bdi>
    </Text>
  );
}

const forms: Record<'date' | 'minute' | 'second', Intl.DateTimeFormatOptions> = {
  date: { dateStyle: 'medium' },
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  second: { dateStyle: 'medium', timeStyle: 'medium' },
};

/** A time (ISO 8601) in the zone that the page names, to the day, minute or second; the zone in a tooltip, too. */
export function Time({
  at,
  to = 'minute',
}: {
  readonly at: string | null;
  readonly to?: keyof typeof forms;
}) {
  const language = useLanguage();
  const zone = useTimeZone();
  if (at === null) return <Text span>–</Text>;
  const text = new Intl.DateTimeFormat(localeOf(language), {
    ...forms[to],
    timeZone: zone,
  }).format(new Date(at));
  return (
    <Tooltip label={`${at} · ${zone}`} openDelay={400}>
      <time dateTime={at} className="figures">
        {text}
      </time>
    </Tooltip>
  );
}

/** Meaning of a status for the reader: done, in progress, to be checked, or failed. */
export type Tone = 'good' | 'busy' | 'neutral' | 'warning' | 'bad';

const tones: Readonly<Record<Tone, MantineColor>> = {
  good: 'teal',
  busy: 'blue',
  neutral: 'gray',
  warning: 'orange',
  bad: 'red',
};

/** A status as a word. The colour only helps skimming and adds no information. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <Badge component="span" variant="light" color={tones[tone]} tt="none" fw={600} miw="max-content">
      {children}
    </Badge>
  );
}
