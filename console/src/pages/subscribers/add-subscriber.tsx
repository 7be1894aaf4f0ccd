import { SimpleGrid } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { Form, fieldsOf, hintBelow, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { SUBSCRIBERS } from './subscriber.tsx';
import { useSubscriberTexts } from './texts.ts';

/** Adds a subscriber. */
export function AddForm() {
  const t = useSubscriberTexts();
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
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.addSubmit}>
      {field.text('name', t.name, { written: true, required: true, focus: true })}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field.text('username', t.username, { required: true, autoComplete: 'off' })}
        <PasswordField
          label={t.password}
          description={t.passwordHint}
          {...hintBelow}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
      {field.text('source', t.source, { hint: t.sourceHint, required: true })}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field.text('amount', t.amount, { inputMode: 'decimal' })}
        {field.text('otp_phone', t.otpPhone, { inputMode: 'tel' })}
      </SimpleGrid>
    </Form>
  );
}
