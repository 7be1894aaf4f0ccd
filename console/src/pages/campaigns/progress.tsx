import { Progress as Bar, Group, Text } from '@mantine/core';
import { Count } from '../../components/values.tsx';
import type { Dictionary } from '../../i18n/en.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { doneOf, type Shipment, totalOf, useRate } from './shipment.ts';

/** What messages of a send have become, from the best to the worst, with colours that are told apart in both themes. */
export const outcomeColours = {
  read: 'cyan.7',
  delivered: 'teal.7',
  handed_over: 'blue.5',
  failed: 'red.7',
  cancelled: 'orange.6',
  waiting: 'gray.5',
  unmade: 'gray.4',
} as const;
export type Outcome = keyof typeof outcomeColours;

/** Messages by outcome, those without any left out. */
export function outcomesOf(
  { progress, unmade }: Shipment,
  { campaigns }: Dictionary,
): { readonly outcome: Outcome; readonly label: string; readonly count: number }[] {
  const counts: Record<Outcome, number> = {
    read: progress?.read ?? 0,
    delivered: progress?.delivered ?? 0,
    handed_over: progress?.handed_over ?? 0,
    failed: progress?.failed ?? 0,
    cancelled: progress?.cancelled ?? 0,
    waiting: progress?.waiting ?? 0,
    unmade,
  };
  return (Object.keys(outcomeColours) as Outcome[])
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => ({
      outcome,
      label: campaigns.outcomeNames[outcome],
      count: counts[outcome],
    }));
}

/** A bar that fills as messages come to their end. */
export function ProgressBar({
  shipment,
  size = 'lg',
}: {
  readonly shipment: Shipment;
  readonly size?: string;
}) {
  const texts = useTexts();
  const language = useLanguage();
  const { campaigns: t } = texts;
  const total = totalOf(shipment);
  const parts = outcomesOf(shipment, texts).filter(
    ({ outcome }) => outcome !== 'waiting' && outcome !== 'unmade',
  );
  const label = [
    t.done(doneOf(shipment).toLocaleString(language), total.toLocaleString(language)),
    ...parts.map((part) => `${part.label}: ${part.count.toLocaleString(language)}`),
  ].join(', ');
  return (
    <Bar.Root size={size} radius="xl" transitionDuration={400} role="img" aria-label={label}>
      {parts.map(({ outcome, count }) => (
        <Bar.Section
          key={outcome}
          value={total === 0 ? 0 : (count * 100) / total}
          color={outcomeColours[outcome]}
          withAria={false}
        />
      ))}
    </Bar.Root>
  );
}

/** How far a send is, in words: how many of how many, how fast, how long still. */
export function ProgressText({ shipment }: { readonly shipment: Shipment }) {
  const texts = useTexts();
  const language = useLanguage();
  const { campaigns: t } = texts;
  const rate = useRate(shipment);
  const total = totalOf(shipment);
  const done = doneOf(shipment);
  if (shipment.progress === null) {
    return (
      <Text size="xs" c="dimmed">
        {t.counting}
      </Text>
    );
  }
  const remaining = total - done;
  return (
    <Group gap={6}>
      <Text size="xs" c="dimmed">
        {t.done(done.toLocaleString(language), total.toLocaleString(language))}
      </Text>
      {rate !== null && rate >= 0.5 && remaining > 0 && (
        <Text size="xs" c="dimmed">
          · {t.rate(Math.round(rate).toLocaleString(language))} · {timeLeft(remaining / rate, t)}
        </Text>
      )}
    </Group>
  );
}

function timeLeft(seconds: number, t: Dictionary['campaigns']): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? t.minutesLeft(minutes) : t.hoursLeft((minutes / 60).toFixed(1));
}

/** What the colours of the bar mean, with the counts. */
export function Legend({ shipment }: { readonly shipment: Shipment }) {
  const texts = useTexts();
  return (
    <ul className="legend">
      {outcomesOf(shipment, texts).map(({ outcome, label, count }) => (
        <li key={outcome}>
          <span
            className="legend-mark"
            style={{ background: `var(--mantine-color-${outcomeColours[outcome].replace('.', '-')})` }}
            aria-hidden
          />
          <span className="legend-count">
            <Count value={count} />
          </span>
          <span className="legend-label">{label}</span>
        </li>
      ))}
    </ul>
  );
}
