import { Button, Group, Select, Switch, Text } from '@mantine/core';
import { LayoutTemplate, Plus, RefreshCw } from 'lucide-react';
import { byId } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { showNotice } from '../../components/notices.ts';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { StatusBadge, Time } from '../../components/values.tsx';
import { NumberQualities, QualityBadge, StandingProblems } from '../../features/templates/standing.tsx';
import { toneOf } from '../../features/templates/template-data.ts';
import { useChatNumbers } from '../../features/templates/use-chat-numbers.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

type Row = Answer<'/v1/chat/templates'>['templates'][number];

const TEMPLATES = '/v1/chat/templates';
const ROWS = 50;
const REFETCH_MS = 5_000;

/** The chat templates of an account. */
export default function Templates() {
  const { templates: t } = useTexts();
  const filters = useFilters(['phone', 'deleted']);
  const { phone } = filters.values;
  const deleted = filters.values.deleted === 'true';
  const numbers = useChatNumbers();
  const pages = useList(TEMPLATES, ({ templates }) => templates, {
    query: { phone, deleted: deleted ? 'true' : 'false', limit: ROWS },
    keyOf: (template) => template.template_id,
    refetchMs: REFETCH_MS,
  });
  const sync = useSync();
  const mayChange = useMay('sender');
  const hasNumbers = numbers.list.length > 0;
  const newTemplate = mayChange && hasNumbers && (
    <Action icon={Plus} href="/templates/new">
      {t.newTemplate}
    </Action>
  );
  return (
    <Page
      lead={t.lead}
      actions={
        <>
          {mayChange && hasNumbers && (
            <Button
              variant="default"
              leftSection={<RefreshCw size={16} aria-hidden />}
              loading={sync.isPending}
              onClick={() => {
                // Numbers of one portfolio have the same templates.
                for (const id of phone === '' ? numbers.ofPortfolios : [phone]) {
                  sync.mutate(byId(id));
                }
              }}
            >
              {t.refresh}
            </Button>
          )}
          {newTemplate}
        </>
      }
    >
      <StandingProblems problems={numbers.problems} />
      <NumberQualities numbers={numbers.list} />
      {sync.isError && <ErrorNote error={sync.error} />}
      <Group gap="md">
        {numbers.list.length > 1 && (
          <Select
            aria-label={t.phone}
            w={260}
            value={phone}
            data={[
              { value: '', label: t.allPhones },
              ...numbers.list.map((number) => ({
                value: number.phone,
                label: `${number.name} +${number.phone}`,
              })),
            ]}
            allowDeselect={false}
            onChange={(value) => filters.set('phone', value ?? '')}
          />
        )}
        <Switch
          label={t.withDeleted}
          checked={deleted}
          onChange={(event) => filters.set('deleted', event.currentTarget.checked ? 'true' : '')}
        />
      </Group>
      <DataTable
        pages={pages}
        rowKey={(template) => template.template_id}
        columns={useColumns()}
        empty={
          hasNumbers || numbers.loading ? (
            <Empty icon={LayoutTemplate} title={t.none} action={newTemplate} hint={t.noneHint} />
          ) : (
            <Empty icon={LayoutTemplate} title={t.noNumbers} hint={t.noNumbersHint} />
          )
        }
      />
    </Page>
  );
}

function useColumns(): Column<Row>[] {
  const { templates: t } = useTexts();
  return [
    {
      title: t.name,
      cell: (template) => (
        <>
          <TextLink href={`/templates/${template.template_id}`} fw={600}>
            <bdi dir="ltr">{template.name}</bdi>
          </TextLink>
          <Muted size="xs">
            {t.categories[template.category]} · <bdi dir="ltr">{template.language}</bdi>
          </Muted>
        </>
      ),
    },
    {
      title: t.text,
      wideOnly: true,
      cell: (template) => (
        <Text size="sm" lineClamp={2} maw={420}>
          {template.category === 'authentication' ? (
            t.categoryHints.authentication
          ) : (
            <bdi>{template.body}</bdi>
          )}
        </Text>
      ),
    },
    {
      title: t.status,
      cell: (template) => (
        <Group gap={6}>
          <StatusBadge tone={toneOf(template.status)}>{t.statuses[template.status]}</StatusBadge>
          <QualityBadge quality={template.quality} />
        </Group>
      ),
    },
    { title: t.since, wideOnly: true, cell: (template) => <Time at={template.status_at} /> },
  ];
}

/** Fetches the templates of a number from the platform, and reports the changes. */
function useSync() {
  const { templates: t } = useTexts();
  const done = useDone();
  return useChange('POST', '/v1/chat/numbers/{id}/sync', {
    onSuccess: async ({ found, added, changed, unsupported }) => {
      await done(t.refreshed(found, added, changed), TEMPLATES);
      if (unsupported.length > 0) {
        showNotice({
          message: t.unsupported(unsupported.join(', ')),
          color: 'orange',
          autoClose: false,
        });
      }
    },
  });
}
