import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { CirclePause, Moon } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { Link, useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Download } from '../../components/download.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Count, Phone, StatusBadge, Time } from '../../components/values.tsx';
import { useChannelName, useFailureTexts } from '../../features/messages/channels.ts';
import { ContentCard } from '../../features/messages/content.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import {
  type Campaign,
  type CampaignDetail,
  type Progress,
  startOf,
  stateTones,
  totalOf,
  useLiveCampaigns,
} from './campaign.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignCost } from './campaign-cost.tsx';
import { useCampaignName } from './campaign-name.ts';
import { Legend, outcomesOf, ProgressBar, ProgressText } from './campaign-progress.tsx';
import { FailedRecipients } from './failed-recipients.tsx';
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

/** One campaign: its progress, the outcomes of its messages, the reasons of failures, and what its channel adds. */
export default function OneCampaign() {
  const { campaigns: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const { query, isSingle } = useCampaign(id);
  if (!query.data) {
    return (
      <Page title={t.noName(id)}>
        <Fetched query={query}>{() => null}</Fetched>
      </Page>
    );
  }
  return <Shown key={id} read={query.data} isSingle={isSingle} />;
}

/** A campaign, or the shipment of a single message: the service does not list it as a campaign, but it has the same page. */
function useCampaign(id: string) {
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

function Shown({ read, isSingle }: { readonly read: CampaignDetail; readonly isSingle: boolean }) {
  const texts = useTexts();
  const { campaigns: t } = texts;
  const nameOf = useChannelName();
  const { latest, keep } = useLiveCampaigns([read]);
  const campaign = latest(read);
  const { id, state, channel, progress } = campaign;
  const part = channelParts[channel];
  return (
    <Page
      title={useCampaignName(campaign)}
      lead={
        <Group gap="xs" component="span">
          <StatusBadge tone={stateTones[state]}>{t.states[state]}</StatusBadge>
          <span>{nameOf(channel)}</span>·
          <Time at={state === 'scheduled' ? startOf(campaign) : campaign.accepted_at} />
        </Group>
      }
      actions={
        <>
          <CampaignActions campaign={campaign} isSingle={isSingle} onChange={keep} />
          <Download path={`/v1/${isSingle ? 'shipments' : 'campaigns'}/${id}/messages.csv`} size="sm">
            {t.export}
          </Download>
        </>
      }
    >
      {read.held && (
        <Alert color="orange" icon={<CirclePause aria-hidden />} role="status">
          {t.held}
        </Alert>
      )}
      {read.waits_until !== null && state !== 'cancelled' && (
        <Alert color="blue" icon={<Moon aria-hidden />} role="status">
          {t.waitsUntil} <Time at={read.waits_until} />
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
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="campaign-parts">
        <Content campaign={campaign} isSingle={isSingle}>
          {part && <part.ContentFacts id={id} />}
        </Content>
        <Card title={t.details}>
          <Details campaign={campaign} />
        </Card>
      </SimpleGrid>
      {part && <part.Results campaign={campaign} />}
      {progress !== null && progress.failed > 0 && !isSingle && <FailedRecipients id={id} />}
    </Page>
  );
}

/** Content of the first recipient's message with facts of the channel; the template before messages exist. */
function Content({
  campaign: { id, source, messages },
  isSingle,
  children,
}: {
  readonly campaign: CampaignDetail;
  readonly isSingle: boolean;
  readonly children: ReactNode;
}) {
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
                <Muted size="xs" hiddenFrom="sm">
                  {textsOf(failure).todo}
                </Muted>
              </>
            ),
          },
          { title: failures.whose, wideOnly: true, cell: ({ fault }) => failures.faults[fault] },
          {
            title: failures.todo,
            wideOnly: true,
            cell: (failure) => <Text size="sm">{textsOf(failure).todo}</Text>,
          },
          {
            title: t.count,
            align: 'end',
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
