import { Group, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { byId } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Count } from '../../components/values.tsx';
import type { Campaign } from '../../features/campaigns/campaign.ts';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { Bounces } from './bounces.tsx';

/** Opens and bounces arrive for days. */
const REFETCH_MS = 5_000;

type MailCampaign = Answer<'/v1/mail/campaigns/{id}'>;

const useMailCampaign = (id: string) =>
  useAnswer('/v1/mail/campaigns/{id}', byId(id), { refetchInterval: REFETCH_MS });

/** Sender and mailing lists of an email campaign. */
export function MailFacts({ id }: { readonly id: string }) {
  return <Fetched query={useMailCampaign(id)}>{(campaign) => <FactsOf campaign={campaign} />}</Fetched>;
}

function FactsOf({ campaign }: { readonly campaign: MailCampaign }) {
  const { mailCampaigns: t } = useTexts();
  const { from, reply_to, lists } = campaign;
  const rows: (readonly [string, ReactNode])[] = [
    [
      t.from,
      <span key="from">
        <bdi>{from.name}</bdi> <MailAddress>{from.address}</MailAddress>
      </span>,
    ],
    [
      t.lists,
      <Group key="lists" gap="xs">
        {lists.map((list) => (
          <ListLink key={list} id={list} />
        ))}
      </Group>,
    ],
  ];
  if (reply_to !== null) rows.push([t.replyTo, <MailAddress key="reply">{reply_to}</MailAddress>]);
  return <Facts rows={rows} />;
}

function MailAddress({ children }: { readonly children: string }) {
  return (
    <bdi dir="ltr" className="address">
      {children}
    </bdi>
  );
}

/** Name of a mailing list; its id when the list no longer exists. */
function ListLink({ id }: { readonly id: string }) {
  const query = useAnswer('/v1/mail/lists/{id}', byId(id), { retry: false });
  return (
    <TextLink href={`/mailing-lists/${id}`} size="sm">
      <bdi>{query.data?.name ?? id}</bdi>
    </TextLink>
  );
}

/** Opens, clicks, bounces, complaints and unsubscribes of a mail campaign. */
export function MailResults({ campaign }: { readonly campaign: Campaign }) {
  const { id } = campaign;
  const { mailCampaigns: t } = useTexts();
  return (
    <>
      <Card title={t.heard}>
        <Fetched query={useMailCampaign(id)}>
          {({ progress }) => <Engagement campaign={campaign} follow={progress} />}
        </Fetched>
      </Card>
      <Bounces id={id} refetchMs={REFETCH_MS} />
    </>
  );
}

/**
 * Counts that all campaigns have come from its progress, so that both places show the same number; an opened email counts as
 * sent.
 */
function Engagement({
  campaign: { progress: counted },
  follow,
}: {
  readonly campaign: Campaign;
  readonly follow: MailCampaign['progress'];
}) {
  const opened = counted?.read ?? 0;
  const sent = opened + (counted?.submitted ?? 0) + (counted?.delivered ?? 0);
  const { mailCampaigns: t } = useTexts();
  const language = useLanguage();
  const share = (count: number) => (sent === 0 ? undefined : t.ofSent(percentOf(count, sent, language)));
  const figures = [
    [t.opened, opened, share(opened)],
    [t.clicked, follow.clicked, share(follow.clicked)],
    [t.hard, follow.hard_bounces],
    [t.soft, follow.soft_bounces],
    [t.complaints, follow.complaints],
    [t.removals, follow.removals],
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
