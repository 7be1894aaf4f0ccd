import { Alert, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleStop } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Download } from '../../components/download.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

const REFETCH_MS = 700;

type Import = Answer<'/v1/imports/{id}'>;

/**
 * The progress of an import, and in the end what it could not use. `list` in the address is a mailing list; `with` is the import of the
 * same file into a contact list.
 */
export default function ImportProgress() {
  const t = useContactTexts();
  const { id, list: mailList } = useParams<{ id: string; list?: string }>();
  const [search] = useSearchParams();
  const other = search.get('with');
  return (
    <Page title={t.progressTitle} back="/recipients">
      {other !== null && <Job id={other} mailList={undefined} />}
      <Job id={id} mailList={mailList} />
    </Page>
  );
}

/** One import. `mailList` is the id of the mailing list that it changes; undefined for a contact list or the blacklist. */
function Job({ id, mailList }: { readonly id: string; readonly mailList: string | undefined }) {
  const t = useContactTexts();
  const query = useAnswer('/v1/imports/{id}', byId(id), {
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? REFETCH_MS : false),
  });
  const queryClient = useQueryClient();
  const isOver = query.data !== undefined && query.data.finished_at !== null;
  // Rows cached before the import are out of date now.
  useEffect(() => {
    if (isOver) void queryClient.invalidateQueries({ queryKey: ['get'], refetchType: 'none' });
  }, [isOver, queryClient]);
  return (
    <Fetched query={query}>
      {(job) => (
        <Stack gap="lg">
          {mailList === undefined ? <Into listId={job.list_id} /> : <IntoMailList id={mailList} />}
          <Counts job={job} listPage={listPageOf(job, mailList)} onStopped={query.refetch} />
          {job.refused > 0 && <Refused job={job} />}
          {job.state === 'done' && job.refused === 0 && <Muted>{t.noneRefused}</Muted>}
        </Stack>
      )}
    </Fetched>
  );
}

function listPageOf({ list_id }: Import, mailList: string | undefined): string {
  if (mailList !== undefined) return `/mailing-lists/${mailList}`;
  return list_id === null ? '/blacklist' : `/contacts/${list_id}`;
}

function Counts({
  job,
  listPage,
  onStopped,
}: {
  readonly job: Import;
  readonly listPage: string;
  readonly onStopped: () => Promise<unknown>;
}) {
  const t = useContactTexts();
  const { common } = useTexts();
  const done = useDone();
  const mayStop = useMay('sender');
  const { ask } = useDialogs();
  const isOver = job.finished_at !== null;
  const percent = job.bytes === 0 ? 0 : Math.min(100, Math.round((job.bytes_done / job.bytes) * 100));
  const stop = () =>
    ask({
      title: t.stopTitle,
      text: t.stopText,
      action: t.stopAction,
      keep: common.keeps.running,
      run: async () => {
        await client.POST('/v1/imports/{id}/stop', byId(job.id));
        await done(t.stopped);
        await onStopped();
      },
    });
  return (
    <Card
      title={t.states[job.state]}
      lead={<Time at={job.created_at} to="second" />}
      actions={
        !isOver &&
        mayStop && (
          <Action icon={CircleStop} variant="default" size="xs" onClick={stop}>
            {t.stop}
          </Action>
        )
      }
    >
      <Progress
        value={percent}
        size="lg"
        aria-label={t.progress}
        animated={!isOver}
        {...(job.state === 'done' && { color: 'teal' })}
      />
      {job.problem !== null && (
        <Alert color="red" icon={<CircleAlert />} role="alert">
          <span dir="auto">{job.problem}</span>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} role="status">
        <CountOf label={t.rows} value={job.rows} />
        <CountOf label={t.addedCount} value={job.added} />
        <CountOf label={t.presentCount} value={job.present} />
        <CountOf label={t.refusedCount} value={job.refused} />
        {job.consents > 0 && <CountOf label={t.consentsCount} value={job.consents} />}
      </SimpleGrid>
      {isOver && (
        <Group>
          <Button component={Link} href={listPage}>
            {job.list_id === null ? t.openBlacklist : t.openList}
          </Button>
        </Group>
      )}
    </Card>
  );
}

function Refused({ job }: { readonly job: Import }) {
  const t = useContactTexts();
  const language = useLanguage();
  const { refused, refused_rows: rows } = job;
  return (
    <Card
      title={t.refusedRows}
      lead={refused > rows.length && t.refusedFirst(rows.length, refused.toLocaleString(language))}
      actions={
        <Download path={`/v1/imports/${job.id}/refused`} size="xs">
          {t.downloadRefused}
        </Download>
      }
    >
      <RowsTable
        caption={t.refusedRows}
        maxHeight={420}
        rows={rows}
        rowKey={({ line }) => line}
        columns={[
          { title: t.line, width: 110, cell: ({ line }) => <Count value={line} /> },
          { title: t.reason, cell: ({ reason }) => <bdi>{t.reasons[reason] ?? reason}</bdi> },
        ]}
      />
    </Card>
  );
}

function Into({ listId }: { readonly listId: string | null }) {
  const t = useContactTexts();
  const query = useAnswer('/v1/contact-lists/{id}', byId(listId ?? ''), {
    enabled: listId !== null,
    retry: false,
  });
  if (listId === null) return t.intoBlacklist;
  return query.data ? (
    <TextLink href={`/contacts/${listId}`}>{t.progressOf(query.data.name)}</TextLink>
  ) : null;
}

function IntoMailList({ id }: { readonly id: string }) {
  const t = useContactTexts();
  const query = useAnswer('/v1/mail/lists/{id}', byId(id), { retry: false });
  return query.data ? (
    <TextLink href={`/mailing-lists/${id}`}>{t.progressOf(query.data.name)}</TextLink>
  ) : null;
}

function CountOf({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div>
      <Text size="xl" fw={650}>
        <Count value={value} />
      </Text>
      <Muted>{label}</Muted>
    </div>
  );
}
