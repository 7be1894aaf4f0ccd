import { Alert, Grid, Stack, Text, Timeline } from '@mantine/core';
import { CloudOff, Copy as CopyIcon, Pencil, Tags, Trash2 } from 'lucide-react';
import { useParams } from 'wouter';
import { atLeast } from '../../../../server/api/access/roles.ts';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Phone, StatusBadge, Time } from '../../components/values.tsx';
import { PhonePreview } from '../../features/handset/phone-preview.tsx';
import {
  contentOf,
  DELETED,
  draftOf,
  IN_REVIEW,
  type Template,
  toneOf,
} from '../../features/templates/template-data.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { languageName } from './language-name.ts';
import './templates.css';
import { useDialogs } from '../../components/dialogs.tsx';
import { useStandingTexts } from '../../features/templates/standing-texts.ts';

const REFETCH_MS = 1_500;

/** One template: how it looks, how its review went, and what can be done with it. */
export default function OneTemplate() {
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/chat/templates/{id}', byId(id), {
    refetchInterval: ({ state }) => (state.data?.status === IN_REVIEW ? REFETCH_MS : false),
  });
  return <Fetched query={query}>{(template) => <Shown template={template} />}</Fetched>;
}

function Shown({ template }: { readonly template: Template }) {
  const { templates: t } = useTexts();
  const standing = useStandingTexts();
  const language = useLanguage();
  return (
    <Page title={template.name} back="/templates" actions={<Actions template={template} />}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Card
              title={t.status}
              actions={
                <StatusBadge tone={toneOf(template.status)}>{t.statuses[template.status]}</StatusBadge>
              }
            >
              <Text size="sm" role="status">
                {t.statusHints[template.status]}
              </Text>
              {template.problem !== '' && (
                <Alert color="orange" icon={<CloudOff />} title={t.notSubmitted}>
                  <span dir="auto">{template.problem}</span>
                  <br />
                  {t.notSubmittedHint}
                </Alert>
              )}
              {template.next_category !== null && (
                <Alert
                  color="orange"
                  icon={<Tags />}
                  title={standing.nextCategory(t.categories[template.next_category])}
                >
                  {standing.nextCategoryHint}
                  {template.category_changes_at !== null && (
                    <>
                      {' '}
                      {standing.from} <Time at={template.category_changes_at} />
                    </>
                  )}
                </Alert>
              )}
              <Facts
                rows={[
                  [
                    standing.quality,
                    <span key="quality">
                      {standing.qualities[template.quality]}
                      <Muted size="xs">{standing.qualityHints[template.quality]}</Muted>
                    </span>,
                  ],
                  [t.category, t.categories[template.category]],
                  [
                    t.language,
                    <span key="language">
                      {languageName(template.language, language)} (<bdi dir="ltr">{template.language}</bdi>)
                    </span>,
                  ],
                  [t.phone, <Phone key="phone" number={template.phone} />],
                  [t.id, <Id key="id" value={template.template_id} />],
                  [t.made, <Time key="made" at={template.created_at} />],
                ]}
              />
            </Card>
            <Card title={t.history}>
              <Timeline bulletSize={18} lineWidth={2} active={template.history.length}>
                {template.history.toReversed().map((past) => (
                  <Timeline.Item key={`${past.at} ${past.status}`} title={t.statuses[past.status]}>
                    {past.reason !== '' && (
                      <Text size="sm">
                        <bdi>{past.reason}</bdi>
                      </Text>
                    )}
                    <Muted>
                      <Time at={past.at} to="second" />
                    </Muted>
                  </Timeline.Item>
                ))}
              </Timeline>
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <div className="template-phone">
            <PhonePreview channel="chat" content={contentOf(draftOf(template), t)} sender={template.phone} />
            <HiddenNote kind="template-sample" />
          </div>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Actions({ template }: { readonly template: Template }) {
  const { templates: t, common } = useTexts();
  const { role } = useSession();
  const done = useDone();
  const { ask } = useDialogs();
  if (!atLeast(role, 'sender')) return null;
  const { template_id: id, name } = template;
  const remove = () =>
    ask({
      title: t.deleteTitle(name),
      text: t.deleteText,
      action: t.deleteAction,
      keep: common.keeps.template,
      run: async () => {
        await client.DELETE('/v1/chat/templates/{id}', byId(id));
        await done(t.deleted, '/v1/chat/templates/{id}', '/v1/chat/templates');
      },
    });
  return (
    <>
      <Action icon={CopyIcon} href={`/templates/new?from=${encodeURIComponent(id)}`} variant="default">
        {t.useAsBase}
      </Action>
      {template.editable && (
        <Action icon={Pencil} href={`/templates/${id}/edit`} variant="default">
          {t.edit}
        </Action>
      )}
      {template.status !== DELETED && (
        <Action icon={Trash2} variant="light" color="red" onClick={remove}>
          {t.delete}
        </Action>
      )}
    </>
  );
}
