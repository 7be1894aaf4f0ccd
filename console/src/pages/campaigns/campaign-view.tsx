import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { CirclePause, Moon } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { byId } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Download } from '../../components/download.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Count, Phone, StatusBadge, Time } from '../../components/values.tsx';
import {
  type Campaign,
  type CampaignDetail,
  type Progress,
  startOf,
  stateTones,
  totalOf,
} from '../../features/campaigns/campaign.ts';
import {
  Legend,
  outcomesOf,
  ProgressBar,
  ProgressText,
} from '../../features/campaigns/campaign-progress.tsx';
import { useChannelName, useFailureTexts } from '../../features/messages/channels.ts';
import { ContentCard } from '../../features/messages/content.tsx';
import { FallbackState, useOtherTexts } from '../../features/messages/other-message.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignCost } from './campaign-cost.tsx';
import { MailFacts, MailResults } from './mail-campaign.tsx';
import { OutcomeChart } from './outcome-chart.tsx';

const REFETCH_MS = 10_000;

/** Facts about the content, and results, of one channel. */
interface ChannelPart {
  readonly ContentFacts: ComponentType<{ readonly id: string }>;
  readonly Results: ComponentType<{ readonly campaign: Campaign }>;
}
const channelParts: Readonly<Record<string, ChannelPart>> = {
  mail: { ContentFacts: MailFacts, Results: MailResults },
};

/** A campaign, or the shipment of a single message: the service does not list it as a campaign, but it has the same page. */
export function useCampaign(id: string) {
  const params = byId(id);
  const refetchInterval = ({ state }: { state: { data?: unknown } }) =>
    state.data === undefined ? false : REFETCH_MS;
  const campaign = useAnswer('/v1/campaigns/{id}', params, { refetchInterval });
  const refused: unknown = campaign.error;
  const isSingle = refused instanceof CarillonError && refused.httpStatus === 404;
  const shipment = useAnswer('/v1/shipments/{id}', params, {
    enabled: isSingle,
    refetchInterval,
  });
  return { query: isSingle ? shipment : campaign, isSingle };
}

interface ShownCampaign {
  readonly campaign: CampaignDetail;
  /** The shipment of a single message. */
  readonly isSingle: boolean;
}

/** State, channel and time of a campaign, below its title. */
export function CampaignLead({ campaign }: Pick<ShownCampaign, 'campaign'>) {
  const { campaigns: t } = useTexts();
  const nameOf = useChannelName();
  const { state, channel, accepted_at } = campaign;
  return (
    <Group gap="xs" component="span">
      <StatusBadge tone={stateTones[state]}>{t.states[state]}</StatusBadge>
      <span>{nameOf(channel)}</span>·
      <Time at={state === 'scheduled' ? startOf(campaign) : accepted_at} />
    </Group>
  );
}

/** Actions of a campaign, and the export of its messages. */
export function CampaignButtons({
  campaign,
  isSingle,
  onChange,
}: ShownCampaign & { readonly onChange: (campaign: Campaign) => void }) {
  const { campaigns: t } = useTexts();
  return (
    <>
      <CampaignActions
        campaign={campaign}
        isSingle={isSingle}
        hasFallback={campaign.fallback?.state === 'open'}
        onChange={onChange}
      />
      <Download path={`/v1/${isSingle ? 'shipments' : 'campaigns'}/${campaign.id}/messages.csv`} size="sm">
        {t.export}
      </Download>
    </>
  );
}

/** Progress, outcomes, reasons of failures, content and details of a campaign, in two columns by default. */
export function CampaignView({
  campaign,
  isSingle,
  isNarrow = false,
}: ShownCampaign & { readonly isNarrow?: boolean }) {
  const texts = useTexts();
  const { campaigns: t } = texts;
  const { id, state, channel, progress, held, waits_until } = campaign;
  const part = channelParts[channel];
  return (
    <>
      {held && (
        <Alert color="orange" icon={<CirclePause aria-hidden />} role="status">
          {t.held}
        </Alert>
      )}
      {waits_until !== null && state !== 'cancelled' && (
        <Alert color="blue" icon={<Moon aria-hidden />} role="status">
          {t.waitsUntil} <Time at={waits_until} />
        </Alert>
      )}
      <Card title={t.progress} actions={<ProgressText campaign={campaign} />}>
        <ProgressBar campaign={campaign} size="xl" />
        <Group justify="space-between" align="center" gap="xl">
          <Legend parts={outcomesOf(campaign, texts)} />
          {progress !== null && outcomesOf(campaign, texts).length > 1 && (
            <OutcomeChart campaign={campaign} />
          )}
        </Group>
      </Card>
      {progress !== null && progress.failed > 0 && <Failures campaign={campaign} progress={progress} />}
      <SimpleGrid cols={isNarrow ? 1 : { base: 1, md: 2 }} spacing="lg" className="campaign-parts">
        <Content campaign={campaign} isSingle={isSingle}>
          {part && <part.ContentFacts id={id} />}
        </Content>
        <Card title={t.details}>
          <Details campaign={campaign} />
        </Card>
      </SimpleGrid>
      {part && <part.Results campaign={campaign} />}
    </>
  );
}

/** Content of the first recipient's message with facts of the channel; the template before messages exist. */
function Content({
  campaign: { id, source, messages },
  isSingle,
  children,
}: ShownCampaign & { readonly children: ReactNode }) {
  const { campaigns: t } = useTexts();
  const ofCampaign = useAnswer('/v1/campaigns/{id}/content', byId(id), { enabled: !isSingle });
  const ofShipment = useAnswer('/v1/shipments/{id}/content', byId(id), { enabled: isSingle });
  const query = isSingle ? ofShipment : ofCampaign;
  const { refetch } = query;
  const begun = messages > 0;
  // The first message shows the values that replaced the field names.
  useEffect(() => {
    if (begun) void refetch();
  }, [begun, refetch]);
  const recipient = query.data?.recipient;
  const lead =
    recipient && !isSingle ? (
      <>
        {t.contentOf} <Phone number={recipient} />
      </>
    ) : undefined;
  return (
    <ContentCard query={query} sender={source ?? ''} lead={lead}>
      {children}
    </ContentCard>
  );
}

/** Contact lists of a campaign. The content of an email campaign names its mailing lists. */
function ContactLists({ lists }: Pick<CampaignDetail, 'lists'>) {
  return (
    <Group gap="xs" justify="flex-end">
      {lists.map(({ id, name }) => (
        <TextLink key={id} href={`/contacts/${id}`} size="sm">
          <bdi>{name}</bdi>
        </TextLink>
      ))}
    </Group>
  );
}

function Details({ campaign }: { readonly campaign: CampaignDetail }) {
  const { campaigns: t } = useTexts();
  const otherTexts = useOtherTexts();
  const { id, channel, source, due_at, accepted_at, valid_until, progress, sending_hours: hours } = campaign;
  const start = startOf(campaign);
  const rows: (readonly [string, ReactNode])[] = [
    [t.recipients, <Count key="recipients" value={totalOf(campaign)} />],
    [t.cost, <CampaignCost key="cost" campaign={campaign} />],
    ...(source === null ? [] : [[t.sender, <Phone key="sender" number={source} />] as const]),
    [t.accepted, <Time key="accepted" at={accepted_at} to="second" />],
    ...(channel === 'mail' || campaign.lists.length === 0
      ? []
      : [[t.lists, <ContactLists key="lists" lists={campaign.lists} />] as const]),
    ...(start === due_at ? [] : [[t.scheduledFor, <Time key="due" at={due_at} to="second" />] as const]),
    [t.begins, <Time key="begins" at={start} to="second" />],
    ...(hours === null
      ? []
      : [
          [
            t.hours,
            <bdi key="hours" dir="ltr" className="figures">
              {hours}
            </bdi>,
          ] as const,
        ]),
    [t.validUntil, <Time key="valid" at={valid_until} />],
    ...(campaign.fallback === null
      ? []
      : [[otherTexts.fallback, <FallbackState key="fallback" fallback={campaign.fallback} />] as const]),
    ...(campaign.fallback_for === null
      ? []
      : [
          [
            otherTexts.replaces,
            <Id key="replaces" value={campaign.fallback_for} href={`/campaigns/${campaign.fallback_for}`} />,
          ] as const,
        ]),
    ...(progress === null
      ? []
      : [[t.countedAt, <Time key="counted" at={progress.counted_at} to="second" />] as const]),
    [t.id, <Id key="id" value={id} />],
  ];
  return (
    <>
      <Facts rows={rows} />
      <Group gap="sm">
        <Button component={Link} href={`/messages?by=shipment&q=${id}`} variant="default" size="xs">
          {t.seeMessages}
        </Button>
        <Button component={Link} href={`/links/${id}`} variant="default" size="xs">
          {t.seeClicks}
        </Button>
      </Group>
    </>
  );
}

function Failures({ campaign, progress }: { readonly campaign: Campaign; readonly progress: Progress }) {
  const { campaigns: t, failures } = useTexts();
  const textsOf = useFailureTexts();
  const language = useLanguage();
  const total = totalOf(campaign);
  return (
    <Card
      title={t.failures}
      actions={
        <TextLink href={`/messages?by=shipment&q=${campaign.id}&state=failed`} size="sm">
          {t.seeMessages}
        </TextLink>
      }
    >
      <RowsTable
        caption={t.failures}
        minWidth={320}
        verticalSpacing="sm"
        rows={progress.failures}
        rowKey={({ status, carrier_status: code, key }) => `${status} ${code} ${key}`}
        columns={[
          {
            title: t.reason,
            onPhone: 'title',
            cell: (failure) => (
              <>
                <Text size="sm" fw={500}>
                  {textsOf(failure).why}
                </Text>
                {failure.carrier_status !== null && (
                  <Muted size="xs">
                    <bdi dir="ltr">{failure.carrier_status}</bdi>
                  </Muted>
                )}
              </>
            ),
          },
          { title: failures.whose, cell: ({ fault }) => failures.faults[fault] },
          {
            title: failures.todo,
            onPhone: 'text',
            cell: (failure) => <Text size="sm">{textsOf(failure).todo}</Text>,
          },
          {
            title: t.count,
            align: 'end',
            onPhone: 'end',
            cell: ({ count }) => (
              <>
                <Count value={count} />
                <Muted size="xs">
                  <bdi dir="ltr">{percentOf(count, total, language)}</bdi>
                </Muted>
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
