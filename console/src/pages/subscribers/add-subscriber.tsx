import { SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { Form, hintBelow, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { SUBSCRIBERS } from './subscriber.tsx';

/** Adds a subscriber. */
export function AddForm() {
  const { subscribers: t } = useTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { name: '', username: '', password: '', source: '', amount: '0', otp_phone: '' },
  });
  const submission = useSubmission(form, async ({ otp_phone: phone, amount, ...values }) => {
    await client.POST('/v1/subscribers', {
      body: { ...values, amount: amount.trim() || '0', ...(phone !== '' && { otp_phone: phone }) },
    });
    await done(t.added(values.name), SUBSCRIBERS, '/v1/wallet');
  });
  return (
    <Form submission={submission} action={t.addSubmit}>
      <TextInput label={t.name} data-autofocus required {...writtenText} {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t.username}
          dir="ltr"
          autoComplete="off"
          required
          {...form.getInputProps('username')}
        />
        <PasswordField
          label={t.password}
          description={t.passwordHint}
          {...hintBelow}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
      <TextInput
        label={t.source}
        description={t.sourceHint}
        {...hintBelow}
        dir="ltr"
        required
        {...form.getInputProps('source')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t.amount} dir="ltr" inputMode="decimal" {...form.getInputProps('amount')} />
        <TextInput label={t.otpPhone} dir="ltr" inputMode="tel" {...form.getInputProps('otp_phone')} />
      </SimpleGrid>
    </Form>
  );
}
