import { Anchor, Button, Group, Select, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { LayoutTemplate, Plus, RefreshCw } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { toneOf } from './template-data.ts';
import { useChatNumbers } from './use-chat-numbers.ts';

const ROWS = 50;
const REFETCH_MS = 5_000;

/** The chat templates of an account. */
export default function Templates() {
  const { templates: t } = useTexts();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const phone = search.get('phone') ?? '';
  const deleted = search.get('deleted') === 'true';
  const numbers = useChatNumbers();
  const pages = usePages(
    ['templates', phone, deleted],
    async (after) => {
      // One more than is shown: whether there is a following page.
      const { data } = await client.GET('/v1/chat/templates', {
        params: {
          query: {
            phone,
            deleted: deleted ? 'true' : 'false',
            limit: ROWS + 1,
            ...(after !== undefined && { after }),
          },
        },
      });
      const rows = data!.templates.slice(0, ROWS);
      return { rows, next: data!.templates.length > ROWS ? rows.at(-1)!.template_id : null };
    },
    REFETCH_MS,
  );
  const sync = api.useMutation('post', '/v1/chat/numbers/{id}/sync', {
    onSuccess: async ({ found, added, changed, unsupported }) => {
      notifications.show({ message: t.refreshed(found, added, changed), color: 'teal' });
      if (unsupported.length > 0) {
        notifications.show({
          message: t.unsupported(unsupported.join(', ')),
          color: 'orange',
          autoClose: false,
        });
      }
      await queryClient.invalidateQueries({ queryKey: ['templates'] });
    },
  });
  const mayChange = atLeast(role, 'sender');
  const hasNumbers = numbers.list.length > 0;
  const filter = (name: string, value: string) =>
    setSearch(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const newTemplate = mayChange && hasNumbers && (
    <Button component={Link} href="/templates/new" leftSection={<Plus size={16} aria-hidden />}>
      {t.newTemplate}
    </Button>
  );
  return (
    <Page
      title={t.title}
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
                  sync.mutate({ params: { path: { id } } });
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
            onChange={(value) => filter('phone', value ?? '')}
          />
        )}
        <Switch
          label={t.withDeleted}
          checked={deleted}
          onChange={(event) => filter('deleted', event.currentTarget.checked ? 'true' : '')}
        />
      </Group>
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(template) => template.template_id}
        columns={[
          {
            key: 'name',
            title: t.name,
            cell: (template) => (
              <>
                <Anchor component={Link} href={`/templates/${template.template_id}`} fw={600}>
                  <bdi dir="ltr">{template.name}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed">
                  {t.categories[template.category]} · <bdi dir="ltr">{template.language}</bdi>
                </Text>
              </>
            ),
          },
          {
            key: 'text',
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
            key: 'status',
            title: t.status,
            cell: (template) => (
              <StatusBadge tone={toneOf(template.status)}>{t.statuses[template.status]}</StatusBadge>
            ),
          },
          {
            key: 'since',
            title: t.since,
            wideOnly: true,
            cell: (template) => <Time at={template.status_at} />,
          },
        ]}
        empty={
          hasNumbers || numbers.loading ? (
            <Empty icon={LayoutTemplate} title={t.none} action={newTemplate}>
              {t.noneHint}
            </Empty>
          ) : (
            <Empty icon={LayoutTemplate} title={t.noNumbers}>
              {t.noNumbersHint}
            </Empty>
          )
        }
      />
    </Page>
  );
}
