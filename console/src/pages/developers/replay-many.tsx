import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useTimeSpan } from '../../components/filters.tsx';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { deliveriesKey, type Webhook } from './webhook.tsx';

/** Sends events to an address again: what was given up, or all of some days. */
export function ReplayMany({
  webhook,
  opened,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { webhooks: t, common } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.replayTitle}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <ReplayForm webhook={webhook} onDone={onClose} />
    </Modal>
  );
}

function ReplayForm({ webhook, onDone }: { readonly webhook: Webhook; readonly onDone: () => void }) {
  const { webhooks: t, filters: words } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { what: 'failed', from: '', until: '' },
    validate: {
      until: (until, { what, from }) =>
        what === 'all' && (from === '' || until === '') ? t.replayNeedsDays : null,
    },
  });
  const span = useTimeSpan(form.values);
  const { onSubmit, busy, error } = useSubmission(form, async ({ what }) => {
    const { data } = await client.POST('/v1/webhook-deliveries/replay', {
      body: { endpoint_id: webhook.id, ...span, delivered: what === 'all' },
    });
    notifications.show({ message: t.replayCount(data!.count), color: 'teal' });
    await queryClient.invalidateQueries({ queryKey: deliveriesKey });
    onDone();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Radio.Group label={t.replayWhat} {...form.getInputProps('what')}>
          <Stack gap="xs" mt="xs">
            <Radio value="failed" label={t.replayFailed} />
            <Radio value="all" label={t.replayEverything} />
          </Stack>
        </Radio.Group>
        <Group grow align="flex-start">
          <TextInput type="date" label={words.from} {...form.getInputProps('from')} />
          <TextInput type="date" label={words.until} {...form.getInputProps('until')} />
        </Group>
        <Text size="sm" c="dimmed">
          {t.replayHint}
        </Text>
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.replaySubmit}
        </Button>
      </Stack>
    </form>
  );
}
