import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { choicesOf } from '../../components/choices.ts';
import { ShownOnce } from '../../components/code-block.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { EventsField } from './events-field.tsx';
import { type EventType, WEBHOOKS, type Webhook } from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

/** Registers an address; then shows the secret of a webhook, once. */
export function RegisterForm() {
  const t = useWebhookTexts();
  const refresh = useRefresh();
  const dialog = useDialog()!;
  const [, navigate] = useLocation();
  const form = useForm({
    initialValues: {
      url: '',
      kind: 'webhook' as Exclude<Webhook['kind'], 'callback'>,
      types: [] as EventType[],
    },
  });
  const { kind } = form.values;
  // Sends register the endpoints of their status callbacks.
  const { callback: _, ...kinds } = t.kinds;
  const submission = useSubmission(form, async (values) => {
    const data = await client.POST('/v1/webhooks', {
      body: {
        url: values.url,
        kind: values.kind,
        ...(values.kind === 'webhook' && values.types.length > 0 && { types: values.types }),
      },
    });
    const { id, secret } = data;
    const leave = () => navigate(`/webhooks/${id}`);
    await refresh(WEBHOOKS);
    if (secret === null) return leave();
    const text = <Text size="sm">{t.secretText}</Text>;
    return dialog.show(
      t.secretTitle,
      <ShownOnce text={text} code={secret} label={t.secret} done={t.done} />,
      { onClose: leave },
    );
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.submit}>
      {field.text('url', t.url, {
        required: true,
        focus: true,
        type: 'url',
        placeholder: 'https://example.com/hooks',
      })}
      <NativeSelect label={t.kind} data={choicesOf(kinds)} {...form.getInputProps('kind')} />
      {kind === 'webhook' && <EventsField {...form.getInputProps('types')} />}
    </Form>
  );
}
