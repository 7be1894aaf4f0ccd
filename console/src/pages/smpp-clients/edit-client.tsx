import { SimpleGrid } from '@mantine/core';
import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { entriesOf, Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Length, LengthField, passwordOf, useShowPassword } from './add-client.tsx';
import { CLIENT, CLIENTS, type SmppClient } from './smpp-client.tsx';
import { useSmppTexts } from './texts.ts';

/** Changes the settings of a client. */
export function EditClient({ of }: { readonly of: SmppClient }) {
  const t = useSmppTexts();
  const { common } = useTexts();
  const dialog = useDialog()!;
  const done = useDone();
  const form = useForm({
    initialValues: {
      name: of.name,
      enabled: of.enabled,
      tls_required: of.tls_required,
      international: of.international,
      incoming: of.incoming,
      default_alphabet: of.default_alphabet,
      default_source: of.default_source ?? '',
      sources: of.sources.join('\n'),
      addresses: of.addresses.join('\n'),
      max_binds: String(of.max_binds),
      window: String(of.window),
      messages_per_second: String(of.messages_per_second),
    },
  });
  const submission = useSubmission(form, async (values) => {
    await client.PATCH(CLIENT, {
      ...byId(of.id),
      body: {
        ...values,
        default_source: values.default_source === '' ? null : values.default_source,
        sources: entriesOf(values.sources),
        addresses: entriesOf(values.addresses),
        max_binds: Number(values.max_binds),
        window: Number(values.window),
        messages_per_second: Number(values.messages_per_second),
      },
    });
    dialog.close();
    await done(t.changed, CLIENT, CLIENTS);
  });
  const field = fieldsOf(form);
  const whole = { type: 'number', required: true, inputMode: 'numeric' } as const;
  return (
    <Form submission={submission} action={common.save}>
      {field.text('name', t.name, { written: true, required: true, focus: true, maxLength: 50 })}
      {field.toggle('enabled', t.enabled, t.enabledHint)}
      {field.toggle('tls_required', t.tls, t.tlsHint)}
      {field.toggle('international', t.international)}
      {field.toggle('incoming', t.incoming)}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {field.text('max_binds', t.maxBinds, { ...whole, min: 1, max: 50 })}
        {field.text('window', t.window, { ...whole, min: 1, max: 500, hint: t.windowHint })}
        {field.text('messages_per_second', t.perSecond, {
          ...whole,
          min: 0,
          max: 10_000,
          hint: t.perSecondHint,
        })}
      </SimpleGrid>
      {field.text('default_source', t.defaultSource, { hint: t.defaultSourceHint, maxLength: 20 })}
      {field.text('sources', t.sources, { hint: t.sourcesHint, lines: 2 })}
      {field.text('addresses', t.networks, { hint: t.networksHint, lines: 2 })}
      <ChoiceField
        label={t.alphabet}
        hint={t.alphabetHint}
        choices={t.alphabets}
        {...form.getInputProps('default_alphabet')}
      />
    </Form>
  );
}

/** Sets a new password; then shows it, once. */
export function RotatePassword({ id }: { readonly id: string }) {
  const t = useSmppTexts();
  const show = useShowPassword();
  const form = useForm({ initialValues: { length: 'long' as Length } });
  const submission = useSubmission(form, async ({ length }) => {
    const password = passwordOf(length);
    await client.PATCH(CLIENT, { ...byId(id), body: { password } });
    return show(password, () => {});
  });
  return (
    <Form submission={submission} action={t.rotate}>
      <div>{t.rotateText}</div>
      <LengthField {...form.getInputProps('length')} />
    </Form>
  );
}
