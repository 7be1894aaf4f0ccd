import { Progress as Bar, Group } from '@mantine/core';
import { Muted } from '../../components/text.tsx';
import { Count } from '../../components/values.tsx';
import type { Dictionary } from '../../i18n/en.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { type Campaign, totalOf, useRate } from './campaign.ts';
import { cancelledOf, doneOf } from './campaign-counts.ts';
import './campaign-look.css';

/** Outcomes of messages from best to worst, with colours that are distinguishable in both themes. */
const colours = {
  read: 'cyan.7',
  delivered: 'teal.7',
  submitted: 'blue.5',
  failed: 'red.7',
  cancelled: 'orange.6',
  waiting: 'gray.5',
  unmade: 'gray.4',
} as const;
type Outcome = keyof typeof colours;

/** Messages by outcome, those without any left out. */
export function outcomesOf(campaign: Campaign, { campaigns }: Dictionary): Part[] {
  const { channel, state, progress, unmade } = campaign;
  const names: Readonly<Record<Outcome, string>> = {
    ...campaigns.outcomeNames,
    ...campaigns.outcomesOf[channel],
  };
  const counts: Record<Outcome, number> = {
    read: progress?.read ?? 0,
    delivered: progress?.delivered ?? 0,
    submitted: progress?.submitted ?? 0,
    failed: progress?.failed ?? 0,
    cancelled: cancelledOf(campaign),
    waiting: progress?.waiting ?? 0,
    unmade: state === 'cancelled' ? 0 : unmade,
  };
  return (Object.keys(colours) as Outcome[])
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => ({
      outcome,
      label: names[outcome],
      count: counts[outcome],
      colour: colours[outcome],
    }));
}

/** One part of a bar: its name, colour and count. */
interface Part {
  readonly outcome: string;
  readonly label: string;
  readonly count: number;
  readonly colour: string;
}

/** Outcomes that leave the bar empty: nothing was sent. */
const untouched = new Set(['waiting', 'unmade', 'cancelled']);

/** A bar that fills as messages reach their outcomes. */
export function ProgressBar({
  campaign,
  size = 'lg',
}: {
  readonly campaign: Campaign;
  readonly size?: string;
}) {
  const texts = useTexts();
  const language = useLanguage();
  const total = totalOf(campaign);
  const text = texts.campaigns.done(
    doneOf(campaign).toLocaleString(language),
    total.toLocaleString(language),
  );
  const parts = outcomesOf(campaign, texts).filter(({ outcome }) => !untouched.has(outcome));
  const counts = parts.map(({ label, count }) => `${label}: ${count.toLocaleString(language)}`);
  return (
    <Bar.Root
      size={size}
      radius="xl"
      transitionDuration={400}
      role="img"
      aria-label={[text, ...counts].join(', ')}
    >
      {parts.map(({ outcome, count, colour }) => (
        <Bar.Section
          key={outcome}
          value={total === 0 ? 0 : (count * 100) / total}
          color={colour}
          withAria={false}
        />
      ))}
    </Bar.Root>
  );
}

/** The progress of a campaign in words: how many of how many, how fast, how long still. */
export function ProgressText({ campaign }: { readonly campaign: Campaign }) {
  const texts = useTexts();
  const language = useLanguage();
  const { campaigns: t } = texts;
  const rate = useRate(campaign);
  const total = totalOf(campaign);
  const done = doneOf(campaign);
  if (campaign.progress === null) {
    return <Muted size="xs">{t.counting}</Muted>;
  }
  const remaining = total - done;
  return (
    <Group gap={6}>
      <Muted size="xs">{t.done(done.toLocaleString(language), total.toLocaleString(language))}</Muted>
      {rate !== null && rate >= 0.5 && remaining > 0 && (
        <Muted size="xs">
          · {t.rate(Math.round(rate).toLocaleString(language))} · {timeLeft(remaining / rate, t)}
        </Muted>
      )}
    </Group>
  );
}

function timeLeft(seconds: number, t: Dictionary['campaigns']): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? t.minutesLeft(minutes) : t.hoursLeft((minutes / 60).toFixed(1));
}

/** The colours of the bar, with their counts. */
export function Legend({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <ul className="legend">
      {parts.map(({ outcome, label, count, colour }) => (
        <li key={outcome}>
          <span
            className="legend-mark"
            style={{ background: `var(--mantine-color-${colour.replace('.', '-')})` }}
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
