import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { useSubmission } from '../../components/form.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';

export function Password() {
  const { account: t } = useTexts();
  const form = useForm({
    initialValues: { current: '', password: '', repeat: '' },
    validate: { repeat: (repeat, { password }) => (repeat === password ? null : t.passwordsDiffer) },
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ current, password }) => {
    await client.POST('/v1/session/password', { body: { current, password } });
    form.reset();
    notifications.show({ message: t.passwordChanged, color: 'teal' });
  });
  return (
    <Card title={t.password} lead={t.passwordHint}>
      <form onSubmit={onSubmit}>
        <Stack>
          <PasswordField
            label={t.currentPassword}
            autoComplete="current-password"
            required
            withAsterisk={false}
            dir="ltr"
            {...form.getInputProps('current')}
          />
          <PasswordField
            label={t.newPassword}
            autoComplete="new-password"
            required
            withAsterisk={false}
            dir="ltr"
            {...form.getInputProps('password')}
          />
          <PasswordField
            label={t.repeatPassword}
            autoComplete="new-password"
            required
            withAsterisk={false}
            dir="ltr"
            {...form.getInputProps('repeat')}
          />
          {error !== undefined && <ErrorNote error={error} />}
          <div>
            <Button type="submit" loading={busy}>
              {t.changePassword}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
