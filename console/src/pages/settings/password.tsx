import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { NewPassword, PasswordField, useSamePassword } from '../../components/password-field.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

export function Password() {
  const { account: t } = useTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { current: '', password: '', repeat: '' },
    validate: useSamePassword(),
  });
  const submission = useSubmission(form, async ({ current, password }) => {
    await client.POST('/v1/session/password', { body: { current, password } });
    form.reset();
    await done(t.passwordChanged);
  });
  return (
    <Card id="password" title={t.password} lead={t.passwordHint}>
      <Form submission={submission} action={t.changePassword} narrow>
        <PasswordField
          label={t.currentPassword}
          autoComplete="current-password"
          {...form.getInputProps('current')}
        />
        <NewPassword form={form} />
      </Form>
    </Card>
  );
}
