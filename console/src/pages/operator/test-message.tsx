import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CircleX } from 'lucide-react';
import { actingFor } from '../../api/acting.ts';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useSession } from '../../api/session-context.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { MessageTimeline } from '../../features/messages/message-timeline.tsx';
import { MessageStateBadge } from '../../features/messages/state.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { AccountSelect } from './account-select.tsx';
import { VerdictFacts, written } from './provider-exchange.tsx';
import { useTestMessageTexts } from './test-message-texts.ts';

type Shown = Answer<'/v1/operator/test-messages/{id}'>;
type Exchange = NonNullable<Shown['exchange']>;

/** Receipts arrive some seconds later. */
const REFETCH_MS = 1_000;
const LINES = 2;

/** Asks for a test message over a connector, and then shows its result. */
export function TestMessageForm({ connector }: { readonly connector: string }) {
  const t = useTestMessageTexts();
  const dialog = useDialog();
  const { account } = useSession();
  const form = useForm({
    initialValues: {
      account_id: actingFor()?.id ?? account?.id ?? null,
      source: '',
      phone: '',
      message: t.example,
    },
  });
  const submission = useSubmission(form, async ({ account_id: accountId, source, phone, message }) => {
    const sent = await client.POST('/v1/operator/connectors/{id}/test-messages', {
      ...byId(connector),
      body: { source, phone, message, ...(accountId !== null && { account_id: accountId }) },
    });
    return dialog?.show(t.resultOf(connector), <TestMessageResult id={sent.id} />, { size: 'lg' });
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.send}>
      <Text size="sm">{t.lead}</Text>
      <AccountSelect
        label={t.account}
        description={t.accountHint}
        required
        {...form.getInputProps('account_id')}
      />
      {field.text('source', t.source, { required: true })}
      {field.text('phone', t.phone, { required: true, inputMode: 'tel' })}
      {field.text('message', t.message, { required: true, lines: LINES })}
    </Form>
  );
}

/** The state of a test message, and for an HTTP connector its request and answer. It is kept up to date. */
function TestMessageResult({ id }: { readonly id: string }) {
  const { common } = useTexts();
  const dialog = useDialog();
  const query = useAnswer('/v1/operator/test-messages/{id}', byId(id), { refetchInterval: REFETCH_MS });
  return (
    <Stack>
      <Fetched query={query}>{(test) => <Result test={test} />}</Fetched>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => dialog?.close()}>
          {common.close}
        </Button>
      </Group>
    </Stack>
  );
}

function Result({ test }: { readonly test: Shown }) {
  const t = useTestMessageTexts();
  const { state, exchange, attempts, code } = test;
  return (
    <>
      <Group gap="xs" role="status">
        {state === null ? t.deleted : <MessageStateBadge state={state} channel="sms" />}
        {state === 'waiting' && attempts === 0 && <Text size="sm">{t.waiting}</Text>}
        {code !== null && (
          <Muted>
            <bdi dir="ltr">{code}</bdi>
          </Muted>
        )}
      </Group>
      {exchange && <ExchangeShown exchange={exchange} attempts={attempts} />}
      {state !== null && <TimelineOf test={test} />}
    </>
  );
}

function TimelineOf({ test }: { readonly test: Shown }) {
  const t = useTestMessageTexts();
  const query = useAnswer(
    '/v1/messages/{id}',
    { ...byId(test.message_id), query: { username: test.username } },
    { refetchInterval: REFETCH_MS },
  );
  return (
    <>
      <Heading text={t.timeline} />
      <Fetched query={query}>{(message) => <MessageTimeline message={message} />}</Fetched>
    </>
  );
}

const Heading = ({ text }: { readonly text: string }) => (
  <Title order={3} size="h5">
    {text}
  </Title>
);

function ExchangeShown({ exchange, attempts }: { readonly exchange: Exchange; readonly attempts: number }) {
  const t = useTestMessageTexts();
  const { request, answer, error, verdict, sent } = exchange;
  return (
    <>
      {error !== null && (
        <Alert color="red" icon={<CircleX />} title={t.error}>
          <bdi dir="ltr">{error}</bdi>
        </Alert>
      )}
      {verdict && <VerdictFacts verdict={verdict} />}
      <Heading text={t.request} />
      {request ? (
        <>
          <Muted>
            {t.requestHint} {t.attempts(attempts)}
          </Muted>
          <CodeBlock
            code={written(`${request.method} ${request.url}`, request.headers, request.body)}
            label={t.request}
          />
        </>
      ) : (
        <Text size="sm">{sent ? t.noRequest : t.notSent}</Text>
      )}
      <Heading text={t.answer} />
      {answer ? (
        <CodeBlock code={written(`HTTP ${answer.status}`, answer.headers, answer.body)} label={t.answer} />
      ) : (
        <Text size="sm">{t.noAnswer}</Text>
      )}
    </>
  );
}
