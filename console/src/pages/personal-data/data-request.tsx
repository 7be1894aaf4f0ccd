import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import { CircleAlert, FileCheck } from 'lucide-react';
import { useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { Download } from '../../components/download.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { Page } from '../../components/page.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Fetched } from '../../components/states.tsx';
import { Time } from '../../components/values.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { CountsTable } from './data-counts.tsx';
import { RequestState, type SubjectRequest } from './request-columns.tsx';
import { usePersonalDataTexts } from './texts.ts';

const REFRESH_MS = 1_000;
/** Refresh interval of an erasure that checks again a quarter of an hour later. */
const SLOW_REFRESH_MS = 10_000;

const isOpen = ({ state }: SubjectRequest) => ['waiting', 'running', 'rechecking'].includes(state);

function refreshAfter(request: SubjectRequest | undefined): number | false {
  if (!request || !isOpen(request)) return false;
  return request.state === 'rechecking' ? SLOW_REFRESH_MS : REFRESH_MS;
}

/** How far an export or erasure is; of one that is done the archive or the certificate. */
export default function RequestPage() {
  const t = usePersonalDataTexts();
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/data-subjects/requests/{id}', byId(id), {
    refetchInterval: ({ state }) => refreshAfter(state.data),
  });
  return (
    <Page title={titleOf(query.data, t)} back="/personal-data">
      <Fetched query={query}>
        {(request) => (
          <Stack gap="lg" maw={820}>
            <Progress request={request} />
            <Card title={t.counts[request.kind]}>
              <CountsTable
                caption={t.counts[request.kind]}
                counts={request.counts}
                withEffects={request.kind === 'erasure'}
                empty={isOpen(request) ? t.countsNone : t.nothing}
              />
            </Card>
          </Stack>
        )}
      </Fetched>
    </Page>
  );
}

function titleOf(request: SubjectRequest | undefined, t: ReturnType<typeof usePersonalDataTexts>): string {
  if (!request) return t.request;
  if (request.kind === 'erasure' && request.state === 'done') return t.certificate;
  return t.types[request.kind];
}

function Progress({ request }: { readonly request: SubjectRequest }) {
  const t = usePersonalDataTexts();
  const language = useLanguage();
  const { id, kind, state, problem, reference, requested_by: by, bytes } = request;
  const times = [
    [t.requestedAt, request.created_at],
    [t.erasedAt, request.erased_at],
    [t.finishedAt, request.finished_at],
    [t.expiresAt, request.expires_at],
  ] as const;
  const size = Math.ceil(bytes / 1_000).toLocaleString(language);
  return (
    <Card title={t.state} actions={<RequestState state={state} />}>
      <Group gap="sm" wrap="nowrap" role="status">
        {isOpen(request) && <Loader size="sm" aria-hidden />}
        <Text size="sm">{t.notes[kind][state]}</Text>
      </Group>
      {problem !== '' && (
        <Alert color={state === 'failed' ? 'red' : 'orange'} icon={<CircleAlert />}>
          {t.problems[problem]}
        </Alert>
      )}
      <Facts
        rows={[
          [t.id, <Id key="id" value={id} />],
          ...(reference === '' ? [] : [[t.reference, <bdi key="reference">{reference}</bdi>] as const]),
          [t.requestedBy, <bdi key="by">{by ?? '–'}</bdi>],
          ...times.flatMap(([name, at]) =>
            at === null ? [] : [[name, <Time key={name} at={at} to="second" />] as const],
          ),
          ...(bytes > 0 ? [[t.size, t.bytes(size)] as const] : []),
        ]}
      />
      {state === 'done' && (
        <div>
          {kind === 'export' ? (
            <Download path={`/v1/data-subjects/requests/${id}/archive`}>{t.download}</Download>
          ) : (
            <Action
              icon={FileCheck}
              variant="default"
              onClick={() =>
                saveFile(`certificate-${id}.json`, JSON.stringify(request, null, 2), 'application/json')
              }
            >
              {t.saveCertificate}
            </Action>
          )}
        </div>
      )}
    </Card>
  );
}
