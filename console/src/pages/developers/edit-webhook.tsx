import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { EventsField } from './events-field.tsx';
import { type EventType, WEBHOOK, WEBHOOKS, type Webhook } from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

/** Changes the address of an endpoint, and of a webhook its events. */
export function EditWebhook({ webhook }: { readonly webhook: Webhook }) {
  const t = useWebhookTexts();
  const { common } = useTexts();
  const dialog = useDialog()!;
  const done = useDone();
  const form = useForm({ initialValues: { url: webhook.url, types: (webhook.types ?? []) as EventType[] } });
  const submission = useSubmission(form, async ({ url, types }) => {
    await client.PATCH('/v1/webhooks/{id}', {
      ...byId(webhook.id),
      body: { url, ...(webhook.kind === 'webhook' && { types: types.length > 0 ? types : null }) },
    });
    dialog.close();
    await done(t.changed, WEBHOOK, WEBHOOKS);
  });
  return (
    <Form submission={submission} action={common.save}>
      {fieldsOf(form).text('url', t.url, { required: true, focus: true, type: 'url' })}
      {webhook.kind === 'webhook' && <EventsField {...form.getInputProps('types')} />}
    </Form>
  );
}
