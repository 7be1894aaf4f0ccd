import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTimeZone } from '../api/session-context.ts';
import { numberFormat, timeFormat } from '../i18n/formatters.ts';
import { type Language, localeOf } from '../i18n/languages.ts';
import { useLanguage, useTexts } from '../i18n/use-texts.tsx';

/** A number, in the digits and separators of the language; the same from left to right in both. */
export function Count({ value }: { readonly value: number }) {
  const language = useLanguage();
  return (
    <bdi dir="ltr" className="figures">
      {numberFormat(language).format(value)}
    </bdi>
  );
}

/** Formats an amount in credits. The service returns decimal text with at most four decimal places. */
export const amountText = (value: string, language: Language, sign = false): string =>
  numberFormat(language, {
    maximumFractionDigits: 4,
    signDisplay: sign ? 'exceptZero' : 'auto',
  }).format(Number(value));

/** An amount in credits, from left to right in both languages; with its unit where no heading of a column names it. */
export function Amount({
  value,
  sign = false,
  unit = false,
}: {
  readonly value: string;
  readonly sign?: boolean;
  readonly unit?: boolean;
}) {
  const language = useLanguage();
  const { common } = useTexts();
  const text = amountText(value, language, sign);
  if (unit) {
    const whole = common.credits(text);
    const unitText = whole.startsWith(text) ? whole.slice(text.length).trimStart() : whole;
    return (
      <bdi className="figures">
        {whole.slice(0, whole.length - unitText.length)}
        <span className="amount-unit">{unitText}</span>
      </bdi>
    );
  }
  return (
    <bdi dir="ltr" className="figures">
      {text}
    </bdi>
  );
}

/**
 * One spelling for each number, as people of the country write it: numbers of Israel with 0, others with + and their country
 * code.
 */
const phoneText = (number: string): string =>
  number.replace(/^\+?972(?=\d{8,9}$)/, '0').replace(/^[1-9]\d{9,14}$/, '+$&');

/** A phone number or sender, from left to right in both languages. */
export function Phone({ number }: { readonly number: string }) {
  return (
    <bdi dir="ltr" className="figures">
      {phoneText(number)}
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

/** A time (ISO 8601) in the zone that the page names, to the day, minute or second, or in its own form; the zone in a tooltip, too. */
export function Time({
  at,
  to = 'minute',
}: {
  readonly at: string | null;
  readonly to?: keyof typeof forms | Intl.DateTimeFormatOptions;
}) {
  const language = useLanguage();
  const zone = useTimeZone();
  if (at === null) return <Text span>–</Text>;
  const text = timeFormat(localeOf(language), {
    ...(typeof to === 'string' ? forms[to] : to),
    timeZone: zone,
  }).format(new Date(at));
  return (
    <time dateTime={at} className="figures" title={`${at} · ${zone}`}>
      {text}
    </time>
  );
}

/** Meaning of a status for the reader: done, in progress, to be checked, or failed. */
export type Tone = 'good' | 'busy' | 'neutral' | 'warning' | 'bad';

/** A status by its shape and word; only a failure colours the word. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="status" data-tone={tone}>
      {children}
    </span>
  );
}
