import { NumberInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { VerdictFacts, written } from './provider-exchange.tsx';
import { useTestMessageTexts } from './test-message-texts.ts';
import { useOperatorTexts } from './texts.ts';

const TRY = '/v1/operator/http-carriers/try';
type Preview = Answer<typeof TRY, 'POST'>;

const LINES = 4;
const MAX_LINES = 12;

/** The requests that an HTTP connector makes, with masked secrets, and the meaning of an answer that somebody enters. */
export function RequestPreview({
  connector,
  preview: { request, polls },
}: {
  readonly connector: string;
  readonly preview: Preview;
}) {
  const { connectors: t } = useOperatorTexts();
  return (
    <Stack>
      <Text size="sm">{t.previewText}</Text>
      <CodeBlock
        code={written(`${request.method} ${request.url}`, request.headers, request.body)}
        label={t.preview}
      />
      {polls.map(({ kind, method, url, headers, body }) => (
        <Stack key={kind} gap="xs">
          <Text size="sm">{t.polls[kind]}</Text>
          <CodeBlock code={written(`${method} ${url}`, headers, body)} label={t.polls[kind]} />
        </Stack>
      ))}
      <RecordedAnswer connector={connector} />
    </Stack>
  );
}

/** Reads an answer of the provider by the rules of the description. */
function RecordedAnswer({ connector }: { readonly connector: string }) {
  const { recorded: t } = useTestMessageTexts();
  const [read, setRead] = useState<Preview>();
  const form = useForm({ initialValues: { status: 200, body: '' } });
  const submission = useSubmission(
    form,
    async (answer) => {
      setRead(undefined);
      setRead(await client.POST(TRY, { body: { connector, answer } }));
      return false;
    },
    { 'answer.status': 'status', 'answer.body': 'body' },
  );
  const verdicts = read ? [...(read.verdict ? [read.verdict] : []), ...read.results] : [];
  return (
    <>
      <div>
        <Title order={3} size="h5">
          {t.title}
        </Title>
        <Text size="sm">{t.hint}</Text>
      </div>
      <Form submission={submission} action={t.submit}>
        <NumberInput
          label={t.status}
          w={120}
          {...{ min: 100, max: 599, allowDecimal: false, required: true, withAsterisk: false }}
          {...form.getInputProps('status')}
        />
        {fieldsOf(form).text('body', t.body, { lines: LINES, maxRows: MAX_LINES })}
        <div role="status">
          {verdicts.map((verdict, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results of a batch may have no id
            <VerdictFacts key={at} verdict={verdict} />
          ))}
        </div>
      </Form>
    </>
  );
}
