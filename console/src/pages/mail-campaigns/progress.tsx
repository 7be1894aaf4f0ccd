import { SimpleGrid, Text } from '@mantine/core';
import { Muted } from '../../components/text.tsx';
import { Count } from '../../components/values.tsx';
import { Legend, OutcomeBar } from '../../features/campaigns/progress.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { doneOf, failedOf, type MailCampaignDetail } from './mail-campaign.ts';
import '../../features/campaigns/campaigns.css';

const colours = { sent: 'teal.7', failed: 'red.7', cancelled: 'orange.6', waiting: 'gray.5' } as const;
type Outcome = keyof typeof colours;

/** A bar that fills as mails are submitted, and what its colours mean. */
export function MailProgressBar({ campaign }: { readonly campaign: MailCampaignDetail }) {
  const { mailCampaigns: t } = useTexts();
  const language = useLanguage();
  const { total, progress } = campaign;
  const done = doneOf(progress);
  const counts: Record<Outcome, number> = {
    sent: progress.sent,
    failed: failedOf(progress),
    cancelled: progress.cancelled,
    waiting: Math.max(0, total - done),
  };
  const parts = (Object.keys(colours) as Outcome[])
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => ({
      outcome,
      label: t.outcomes[outcome],
      count: counts[outcome],
      colour: colours[outcome],
    }));
  return (
    <>
      <OutcomeBar
        size="xl"
        text={t.done(done.toLocaleString(language), total.toLocaleString(language))}
        total={total}
        parts={parts.filter(({ outcome }) => outcome !== 'waiting')}
      />
      <Legend parts={parts} />
    </>
  );
}

/** How many were opened, followed, came back, were complained of. */
export function MailHeard({ campaign: { progress } }: { readonly campaign: MailCampaignDetail }) {
  const { mailCampaigns: t } = useTexts();
  const language = useLanguage();
  const share = (count: number) =>
    progress.sent === 0
      ? undefined
      : t.ofSent(
          (count / progress.sent).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 }),
        );
  const figures = [
    [t.opened, progress.opened, share(progress.opened)],
    [t.clicked, progress.clicked, share(progress.clicked)],
    [t.hard, progress.hard_bounces],
    [t.soft, progress.soft_bounces],
    [t.complaints, progress.complaints],
    [t.removals, progress.removals],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      {figures.map(([name, count, note]) => (
        <div key={name}>
          <Text size="xl" fw={650}>
            <Count value={count} />
          </Text>
          <Text size="sm">{name}</Text>
          {note !== undefined && <Muted size="xs">{note}</Muted>}
        </div>
      ))}
    </SimpleGrid>
  );
}
