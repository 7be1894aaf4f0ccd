import { Group, Select, Textarea } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Answer } from '../../api/operations.ts';
import { Muted } from '../../components/text.tsx';
import { amountText } from '../../components/values.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { type FallbackChannel, type FallbackChoice, fallbackBy } from './fallback-choice.ts';
import { Part } from './part.tsx';
import { useFallbackTexts } from './use-fallback-texts.ts';

const FallbackTemplate = lazy(() => import('./fallback-template.tsx'));

type Estimate = Answer<'/v1/sms/estimate', 'POST'>['fallback'];

const CHANNELS: readonly FallbackChannel[] = ['chat', 'voice', 'sms'];
const HOUR = 60;
const MINUTES = [5, 10, 15, 30, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
const MAX_TEXT = 1_005;

/** Chooses a second message by another channel, for recipients whose message fails or is not delivered in time. */
export default function Fallback({
  value,
  onChange,
  first,
  needsText,
  estimate,
  error,
}: {
  readonly value: FallbackChoice | null;
  readonly onChange: (value: FallbackChoice | null) => void;
  /** Channel of the send. */
  readonly first: FallbackChannel;
  /** Whether the text of the send has fields of contacts. */
  readonly needsText: boolean;
  readonly estimate: Estimate | undefined;
  readonly error: string | undefined;
}) {
  const t = useFallbackTexts();
  const language = useLanguage();
  const chosen = value?.channel === first ? null : value;
  const change = (changes: Partial<FallbackChoice>) => chosen && onChange({ ...chosen, ...changes });
  return (
    <Part title={t.title}>
      <Group gap="md" align="flex-start">
        <Select
          label={t.second}
          data={[
            { value: 'none', label: t.none },
            ...CHANNELS.filter((one) => one !== first).map((one) => ({ value: one, label: t.by[one] })),
          ]}
          value={chosen?.channel ?? 'none'}
          onChange={(one) =>
            onChange(
              one === null || one === 'none' ? null : fallbackBy(one as FallbackChannel, chosen?.minutes),
            )
          }
          allowDeselect={false}
          error={error}
          w={{ base: '100%', xs: 260 }}
        />
        {chosen && (
          <Select
            label={t.within}
            data={MINUTES.map((one) => ({
              value: String(one),
              label: one < HOUR ? t.minutes(one) : t.hours(one / HOUR),
            }))}
            value={String(chosen.minutes)}
            onChange={(one) => change({ minutes: Number(one ?? chosen.minutes) })}
            allowDeselect={false}
            w={{ base: '100%', xs: 200 }}
          />
        )}
      </Group>
      {chosen?.channel === 'chat' && (
        <Suspense>
          <FallbackTemplate value={chosen} change={change} />
        </Suspense>
      )}
      {chosen && chosen.channel !== 'chat' && (
        <Textarea
          label={t.text}
          placeholder={needsText ? t.ownText : t.sameText}
          value={chosen.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          required={needsText}
          maxLength={MAX_TEXT}
          autosize
          dir="auto"
        />
      )}
      {chosen && (
        <Muted>
          {t.hint}
          {estimate && (
            <> {t.about(estimate.messages.toLocaleString(language), amountText(estimate.cost, language))}</>
          )}
        </Muted>
      )}
    </Part>
  );
}
