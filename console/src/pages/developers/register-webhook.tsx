import { Button, Group, Modal, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { choicesOf, Form, useSubmission } from '../../components/form.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { WEBHOOKS, type Webhook } from './webhook.tsx';

interface Made {
  readonly id: string;
  readonly secret: string | null;
}

/** Registers an address; then shows the secret of a webhook. */
export function RegisterWebhook({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { webhooks: t } = useTexts();
  const [made, setMade] = useState<Made>();
  const [, navigate] = useLocation();
  function close() {
    onClose();
    if (made) navigate(`/webhooks/${made.id}`);
    setMade(undefined);
  }
  const secret = made?.secret;
  return (
    <Modal opened={opened} onClose={close} title={secret ? t.secretTitle : t.add} size="lg">
      {secret ? (
        <Stack>
          <Text size="sm">{t.secretText}</Text>
          <CodeBlock code={secret} label={t.secret} />
          <Group justify="flex-end">
            <Button onClick={close}>{t.done}</Button>
          </Group>
        </Stack>
      ) : (
        <RegisterForm
          onMade={(one) => {
            if (one.secret !== null) return setMade(one);
            onClose();
            navigate(`/webhooks/${one.id}`);
          }}
        />
      )}
    </Modal>
  );
}

function RegisterForm({ onMade }: { readonly onMade: (made: Made) => void }) {
  const { webhooks: t } = useTexts();
  const refresh = useRefresh();
  const form = useForm({
    initialValues: { url: '', kind: 'webhook' as Webhook['kind'], types: [] as string[] },
  });
  const { kind, types } = form.values;
  const submission = useSubmission(form, async (values) => {
    const { data } = await client.POST('/v1/webhooks', {
      body: {
        url: values.url,
        kind: values.kind,
        ...(values.kind === 'webhook' &&
          values.types.length > 0 && { types: values.types as (keyof typeof t.eventNames)[] }),
      },
    });
    onMade(data!);
    await refresh(WEBHOOKS);
  });
  return (
    <Form submission={submission} action={t.submit}>
      <TextInput
        label={t.url}
        type="url"
        placeholder="https://example.com/hooks"
        dir="ltr"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <NativeSelect label={t.kind} data={choicesOf(t.kinds)} {...form.getInputProps('kind')} />
      {kind === 'webhook' && (
        <MultiSelect
          label={t.events}
          description={t.eventsHint}
          placeholder={types.length === 0 ? t.allEvents : undefined}
          data={choicesOf(t.eventNames)}
          clearable
          {...form.getInputProps('types')}
        />
      )}
    </Form>
  );
}
