import { Alert, Group, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { Answer } from '../../api/operations.ts';
import { Phone, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { type StandingTexts, useStandingTexts } from './standing-texts.ts';

type Portfolio = Answer<'/v1/chat/numbers'>['portfolios'][number];
type Problem = Portfolio['problems'][number];
type Quality = Portfolio['numbers'][number]['quality'];

const tones: Readonly<Record<Quality, Tone>> = {
  high: 'good',
  medium: 'warning',
  low: 'bad',
  unknown: 'neutral',
};

/** The platform's quality rating of a number or a template; nothing without a rating. */
export function QualityBadge({ quality }: { readonly quality: Quality }) {
  const t = useStandingTexts();
  if (quality === 'unknown') return null;
  return (
    <StatusBadge tone={tones[quality]}>
      {t.quality}: {t.qualities[quality]}
    </StatusBadge>
  );
}

/** The ratings of numbers; nothing while the platform has rated none. */
export function NumberQualities({ numbers }: { readonly numbers: readonly Portfolio['numbers'][number][] }) {
  const t = useStandingTexts();
  const rated = numbers.filter(({ quality }) => quality !== 'unknown');
  if (rated.length === 0) return null;
  return (
    <Group component="ul" className="plain-list" gap="md" aria-label={t.quality}>
      {rated.map(({ phone, quality }) => (
        <Group key={phone} component="li" gap={6}>
          <Text size="sm">
            <Phone number={phone} />
          </Text>
          <QualityBadge quality={quality} />
        </Group>
      ))}
    </Group>
  );
}

/** Problems that the platform reports for a portfolio and its numbers. */
export function StandingProblems({ problems }: { readonly problems: readonly Problem[] }) {
  const t = useStandingTexts();
  if (problems.length === 0) return null;
  const stopped = problems.filter(({ severity }) => severity === 'stopped');
  const sorted = [...stopped, ...problems.filter((problem) => !stopped.includes(problem))];
  return (
    <Alert
      color={stopped.length > 0 ? 'red' : 'orange'}
      icon={<TriangleAlert />}
      title={t.problems}
      role="note"
    >
      <Stack component="ul" className="plain-list" gap="xs">
        {sorted.map((problem) => (
          <li key={`${problem.topic} ${problem.phone} ${problem.word}`}>
            <Text size="sm">
              {problem.phone !== '' && (
                <>
                  <Phone number={problem.phone} />:{' '}
                </>
              )}
              {wordsFor(problem, t)}
            </Text>
            <Text size="xs">
              {isReasonShown(problem) && (
                <>
                  {t.reason}: <bdi dir="ltr">{problem.reason}</bdi> ·{' '}
                </>
              )}
              {problem.until !== null && (
                <>
                  {t.until} <Time at={problem.until} /> ·{' '}
                </>
              )}
              {t.told} <Time at={problem.told_at} />
            </Text>
          </li>
        ))}
      </Stack>
    </Alert>
  );
}

/** The reason of an alert is its severity, which the colour already shows. */
const isReasonShown = ({ topic, reason }: Problem) => reason !== '' && topic !== 'alert';

/** A problem in words; one that the console does not know in those of the platform. */
function wordsFor({ topic, word }: Problem, t: StandingTexts) {
  const named = (title: string) => (
    <>
      {title}: <bdi dir="ltr">{word}</bdi>
    </>
  );
  if (topic === 'quality') return t.lowQuality;
  if (topic === 'violation') return named(t.violation);
  const known: Readonly<Record<string, string>> = t[topic];
  return known[word] ?? named(t.other);
}
