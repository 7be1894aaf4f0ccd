import { useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Named, Section } from '../../components/text.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { RuleForm } from './conversation-rule-form.tsx';
import { useSettingsTexts } from './texts.ts';

const LOG_ROWS = 20;
const LOG_MS = 10_000;

/** A rule, or a new one: its conditions and actions, and what it has done so far. */
export default function RulePage() {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <NewRule /> : <OneRule id={id} />;
}

function NewRule() {
  const { rules: t } = useSettingsTexts();
  return (
    <Page title={t.newTitle} back="/conversation-rules">
      <RuleForm />
    </Page>
  );
}

function OneRule({ id }: { readonly id: string }) {
  const { rules: t } = useSettingsTexts();
  const query = useAnswer('/v1/conversation-rules/{id}', byId(id));
  return (
    <Page title={query.data?.name ?? t.what} back="/conversation-rules">
      <Fetched query={query}>{(rule) => <RuleForm key={id} rule={rule} />}</Fetched>
      <Section title={t.log} hint={t.logHint}>
        <Log id={id} />
      </Section>
    </Page>
  );
}

type Entry = Answer<'/v1/conversation-rules/{id}/log'>['entries'][number];

function Log({ id }: { readonly id: string }) {
  const { rules: t } = useSettingsTexts();
  const pages = useList('/v1/conversation-rules/{id}/log', ({ entries }) => entries, {
    path: { id },
    query: { limit: LOG_ROWS },
    refetchMs: LOG_MS,
  });
  const doneOf = ({ reply, assigned, labelled, webhook }: Entry) =>
    [reply !== null && t.outcomes[reply], labelled && t.labelled, assigned && t.assigned, webhook && t.told]
      .filter((text) => text !== false)
      .join(', ') || t.nothing;
  return (
    <DataTable
      caption={t.log}
      pages={pages}
      rowKey={(row) => row.id}
      columns={[
        { title: t.at, cell: ({ at }) => <Time at={at} /> },
        {
          title: t.client,
          cell: ({ client, client_name: name, conversation_id: conversation }) => (
            <Named href={`/conversations?id=${conversation}`} name={<Phone number={client} />}>
              {name && <bdi>{name}</bdi>}
            </Named>
          ),
        },
        { title: t.done, cell: doneOf },
      ]}
      empty={<Empty title={t.logNone} />}
    />
  );
}
