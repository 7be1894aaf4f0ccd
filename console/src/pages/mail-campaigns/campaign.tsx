import { Group, SegmentedControl, SimpleGrid } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Copy } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { HiddenNote, useHides } from '../../components/hidden-note.tsx';
import { MailFrame, MailText } from '../../components/mail-frame.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { CampaignActions } from '../../features/campaigns/actions.tsx';
import { stateTones } from '../../features/campaigns/shipment.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { Bounces, NotReached } from './bounces.tsx';
import { doneOf, isOpen, type MailCampaignDetail, stateOf } from './mail-campaign.ts';
import { MailHeard, MailProgressBar } from './progress.tsx';
import './mail-campaigns.css';

const RUNNING_MS = 1_500;
/** Opens and bounces come for days. */
const OVER_MS = 5_000;
const FRAME_HEIGHT = 420;

/** One mail campaign: its progress, opens and clicks, bounces and complaints, and its content. */
export default function MailCampaignPage() {
  const { mailCampaigns: t, campaigns } = useTexts();
  const { id } = useParams<{ id: string }>();
  const params = { params: { path: { id } } };
  const query = api.useQuery('get', '/v1/mail/campaigns/{id}', params, {
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? OVER_MS : RUNNING_MS),
  });
  const campaign = query.data;
  if (!campaign) {
    return (
      <Page title={t.page(id)}>
        <Fetched query={query}>{() => null}</Fetched>
      </Page>
    );
  }
  const state = stateOf(campaign);
  return (
    <Page
      title={campaign.name ?? campaign.subject}
      lead={
        <Group gap="xs" component="span">
          <StatusBadge tone={stateTones[state]}>{campaigns.states[state]}</StatusBadge>
          <TextLink href="/mail-campaigns" underline="always">
            {t.title}
          </TextLink>
          ·
          <Time at={campaign.due_at} />
        </Group>
      }
      actions={
        <CampaignActions
          name={campaign.name ?? campaign.subject}
          state={campaign.state}
          pausedText={t.paused}
          control={{
            pause: () => client.POST('/v1/mail/campaigns/{id}/pause', params),
            resume: () => client.POST('/v1/mail/campaigns/{id}/resume', params),
            cancel: async () => (await client.POST('/v1/mail/campaigns/{id}/cancel', params)).data!,
            stale: ['/v1/mail/campaigns', '/v1/mail/campaigns/{id}'],
          }}
        />
      }
    >
      <Card title={campaigns.progress} actions={<Done campaign={campaign} />}>
        <MailProgressBar campaign={campaign} />
      </Card>
      <Card title={t.heard}>
        <MailHeard campaign={campaign} />
      </Card>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="campaign-parts">
        <Content campaign={campaign} />
        <Card title={t.details}>
          <Details campaign={campaign} />
        </Card>
      </SimpleGrid>
      <Bounces id={id} refetchMs={OVER_MS} />
      <NotReached id={id} refetchMs={OVER_MS} />
    </Page>
  );
}

function Done({ campaign: { total, progress } }: { readonly campaign: MailCampaignDetail }) {
  const { mailCampaigns: t } = useTexts();
  const language = useLanguage();
  return (
    <Muted role="status">
      {t.done(doneOf(progress).toLocaleString(language), total.toLocaleString(language))}
    </Muted>
  );
}

function Content({ campaign: { subject, html, text } }: { readonly campaign: MailCampaignDetail }) {
  const { mailCampaigns: t } = useTexts();
  const hides = useHides('message-text');
  const [form, setForm] = useState<'html' | 'text'>(html === null ? 'text' : 'html');
  return (
    <Card
      title={t.content}
      {...(!hides && { lead: <bdi>{subject}</bdi> })}
      actions={
        html !== null &&
        text !== null && (
          <SegmentedControl
            size="xs"
            aria-label={t.form}
            value={form}
            onChange={setForm}
            data={(['html', 'text'] as const).map((value) => ({ value, label: t[value] }))}
          />
        )
      }
    >
      <HiddenNote kind="message-text" />
      {form === 'html' && html !== null ? (
        <MailFrame html={html} title={t.previewFrame} height={FRAME_HEIGHT} />
      ) : (
        text !== null && <MailText text={text} />
      )}
    </Card>
  );
}

function Details({ campaign }: { readonly campaign: MailCampaignDetail }) {
  const { mailCampaigns: t } = useTexts();
  const { id, from, reply_to, lists, total, created_at, due_at, finished_at } = campaign;
  const address = (text: string) => (
    <bdi dir="ltr" className="address">
      {text}
    </bdi>
  );
  const rows: (readonly [string, ReactNode])[] = [
    [t.recipients, <Count key="recipients" value={total} />],
    [
      t.from,
      <span key="from">
        <bdi>{from.name}</bdi> {address(from.address)}
      </span>,
    ],
    ...(reply_to === null ? [] : [[t.replyTo, address(reply_to)] as const]),
    [
      t.lists,
      <Group key="lists" gap="xs">
        {lists.map((list) => (
          <ListLink key={list} id={list} />
        ))}
      </Group>,
    ],
    [t.accepted, <Time key="accepted" at={created_at} to="second" />],
    [t.begins, <Time key="begins" at={due_at} to="second" />],
    ...(finished_at === null ? [] : [[t.ended, <Time key="ended" at={finished_at} to="second" />] as const]),
    [
      t.id,
      <Group key="id" gap={4} wrap="nowrap">
        <bdi dir="ltr" className="figures">
          {id}
        </bdi>
        <Copy value={id} />
      </Group>,
    ],
  ];
  return <Facts rows={rows} />;
}

/** By its name; by its number, when there is no such list any more. */
function ListLink({ id }: { readonly id: string }) {
  const query = api.useQuery('get', '/v1/mail/lists/{id}', { params: { path: { id } } }, { retry: false });
  return (
    <TextLink href={`/mailing-lists/${id}`} size="sm">
      <bdi>{query.data?.name ?? id}</bdi>
    </TextLink>
  );
}
