import { Button, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';

/** Adds a subscriber. */
export function AddSubscriber({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { subscribers: t, common } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.add}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <AddForm onDone={onClose} />
    </Modal>
  );
}

function AddForm({ onDone }: { readonly onDone: () => void }) {
  const { subscribers: t } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: '', username: '', password: '', source: '', amount: '0', otp_phone: '' },
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ otp_phone: phone, amount, ...values }) => {
    await client.POST('/v1/subscribers', {
      body: { ...values, amount: amount.trim() || '0', ...(phone !== '' && { otp_phone: phone }) },
    });
    notifications.show({ message: t.added(values.name), color: 'teal' });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/subscribers'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/wallet'] });
    onDone();
  });
  const needed = { required: true, withAsterisk: false };
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.name}
          data-autofocus
          {...needed}
          {...writtenText}
          {...form.getInputProps('name')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t.username}
            dir="ltr"
            autoComplete="off"
            {...needed}
            {...form.getInputProps('username')}
          />
          <PasswordField
            label={t.password}
            description={t.passwordHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            dir="ltr"
            autoComplete="new-password"
            {...needed}
            {...form.getInputProps('password')}
          />
        </SimpleGrid>
        <TextInput
          label={t.source}
          description={t.sourceHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="ltr"
          {...needed}
          {...form.getInputProps('source')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t.amount} dir="ltr" inputMode="decimal" {...form.getInputProps('amount')} />
          <TextInput label={t.otpPhone} dir="ltr" inputMode="tel" {...form.getInputProps('otp_phone')} />
        </SimpleGrid>
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.addSubmit}
        </Button>
      </Stack>
    </form>
  );
}
