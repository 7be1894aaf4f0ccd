import { Button, Group, Modal, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { type Webhook, webhooksKey } from './webhook.tsx';

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
  const { webhooks: t, common } = useTexts();
  const [made, setMade] = useState<Made>();
  const [, navigate] = useLocation();
  function close() {
    onClose();
    if (made) navigate(`/webhooks/${made.id}`);
    setMade(undefined);
  }
  const secret = made?.secret;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secret ? t.secretTitle : t.add}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
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
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { url: '', kind: 'webhook' as Webhook['kind'], types: [] as string[] },
  });
  const { kind, types } = form.values;
  const { onSubmit, busy, error } = useSubmission(form, async (values) => {
    const { data } = await client.POST('/v1/webhooks', {
      body: {
        url: values.url,
        kind: values.kind,
        ...(values.kind === 'webhook' &&
          values.types.length > 0 && { types: values.types as (keyof typeof t.eventNames)[] }),
      },
    });
    onMade(data!);
    await queryClient.invalidateQueries({ queryKey: webhooksKey });
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.url}
          type="url"
          placeholder="https://example.com/hooks"
          dir="ltr"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('url')}
        />
        <NativeSelect
          label={t.kind}
          data={Object.entries(t.kinds).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('kind')}
        />
        {kind === 'webhook' && (
          <MultiSelect
            label={t.events}
            description={t.eventsHint}
            placeholder={types.length === 0 ? t.allEvents : undefined}
            data={Object.entries(t.eventNames).map(([value, label]) => ({ value, label }))}
            clearable
            {...form.getInputProps('types')}
          />
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}
