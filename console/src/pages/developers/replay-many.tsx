import { Group, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { useTimeSpan } from '../../components/day-filters.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { DELIVERIES, type Webhook } from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

/** Sends events to an endpoint again: the abandoned ones, or all events of a period. */
export function ReplayForm({ webhook }: { readonly webhook: Webhook }) {
  const t = useWebhookTexts();
  const { filters: words } = useTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { what: 'failed', from: '', until: '' },
    validate: {
      until: (until, { what, from }) =>
        what === 'all' && (from === '' || until === '') ? t.replayNeedsDays : null,
    },
  });
  const span = useTimeSpan(form.values);
  const submission = useSubmission(form, async ({ what }) => {
    const data = await client.POST('/v1/webhook-deliveries/replay', {
      body: { endpoint_id: webhook.id, ...span, delivered: what === 'all' },
    });
    await done(t.replayCount(data.count), DELIVERIES);
  });
  return (
    <Form submission={submission} action={t.replaySubmit}>
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
      <Muted>{t.replayHint}</Muted>
    </Form>
  );
}
