import { Badge, type MantineColor, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTimeZone } from '../api/session-context.ts';
import { type Language, localeOf } from '../i18n/languages.ts';
import { useLanguage } from '../i18n/texts.tsx';

/** A number, in the digits and separators of the language; the same from left to right in both. */
export function Count({ value }: { readonly value: number }) {
  const language = useLanguage();
  return (
    <bdi dir="ltr" className="figures">
      {value.toLocaleString(language)}
    </bdi>
  );
}

/** An amount in credits in words: what the service gives is a decimal text, with four places at most. */
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

/** An address on the net, broken where it is too long. */
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

/** What a status means for whoever looks: done, under way, to be looked at, or failed. */
export type Tone = 'good' | 'busy' | 'neutral' | 'warning' | 'bad';

const tones: Readonly<Record<Tone, MantineColor>> = {
  good: 'teal',
  busy: 'blue',
  neutral: 'gray',
  warning: 'orange',
  bad: 'red',
};

/** A status in a word. The word says it all: colour is only for those who skim. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <Badge component="span" variant="light" color={tones[tone]} tt="none" fw={600} miw="max-content">
      {children}
    </Badge>
  );
}
