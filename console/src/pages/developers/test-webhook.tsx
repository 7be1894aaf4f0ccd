import { Alert, Button, NativeSelect, Stack, Text } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted } from '../../components/text.tsx';
import { bodyText } from './bodies.ts';
import type { Webhook } from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

type Outcome = Answer<'/v1/webhooks/{id}/test', 'POST'>;

/** Sends an example of an event to an address, and shows the result. */
export function TestWebhook({ webhook }: { readonly webhook: Webhook }) {
  const t = useWebhookTexts();
  const types = webhook.types ?? Object.keys(t.eventNames);
  const names: Readonly<Record<string, string>> = t.eventNames;
  const [type, setType] = useState(types[0] ?? '');
  const [outcome, setOutcome] = useState<Outcome>();
  const { busy, error, run } = useTask(async () => {
    setOutcome(undefined);
    const data = await client.POST('/v1/webhooks/{id}/test', {
      ...byId(webhook.id),
      body: webhook.kind === 'webhook' ? { type: type as keyof typeof t.eventNames } : {},
    });
    setOutcome(data);
  });
  return (
    <Stack>
      <Muted>{t.testHint}</Muted>
      {webhook.kind === 'webhook' && (
        <NativeSelect
          label={t.testEvent}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
          data={types.map((value) => ({ value, label: names[value] ?? value }))}
          data-autofocus
        />
      )}
      <Button loading={busy} onClick={() => void run()}>
        {t.testSubmit}
      </Button>
      <div aria-live="polite">
        <ErrorNote error={error} />
        {outcome && (
          <Stack gap="sm">
            <Alert
              color={outcome.taken ? 'teal' : 'red'}
              icon={outcome.taken ? <CircleCheck /> : <CircleX />}
              title={outcome.taken ? t.testTaken(outcome.milliseconds) : t.testFailed(outcome.milliseconds)}
            >
              {outcome.answer?.error && <bdi dir="ltr">{outcome.answer.error}</bdi>}
            </Alert>
            {outcome.answer?.body && (
              <>
                <Text size="sm" fw={600}>
                  {t.answer}
                </Text>
                <CodeBlock code={outcome.answer.body} label={t.answer} />
              </>
            )}
            <Text size="sm" fw={600}>
              {t.request}
            </Text>
            <CodeBlock code={bodyText(outcome.request)} label={t.request} />
          </Stack>
        )}
      </div>
    </Stack>
  );
}
