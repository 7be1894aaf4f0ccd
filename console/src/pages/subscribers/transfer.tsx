import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { Amount } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { Subscriber } from './subscriber.ts';

/** Moves credit between the account and a subscriber, either way. */
export function Transfer({
  subscriber,
  onClose,
}: {
  readonly subscriber: Subscriber | undefined;
  readonly onClose: () => void;
}) {
  const { subscribers: t, common } = useTexts();
  return (
    <Modal
      opened={subscriber !== undefined}
      onClose={onClose}
      title={subscriber && t.transferTitle(subscriber.name)}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {subscriber && <TransferForm subscriber={subscriber} onDone={onClose} />}
    </Modal>
  );
}

function TransferForm({
  subscriber,
  onDone,
}: {
  readonly subscriber: Subscriber;
  readonly onDone: () => void;
}) {
  const { subscribers: t } = useTexts();
  const queryClient = useQueryClient();
  const own = api.useQuery('get', '/v1/wallet', {});
  const form = useForm({
    initialValues: { direction: 'give', amount: '', note: '' },
    validate: { amount: (amount) => (isAmount(amount) ? null : t.badAmount) },
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ direction, amount, note }) => {
    const { data } = await client.POST('/v1/wallet/transfer', {
      body: {
        username: subscriber.username,
        amount: direction === 'give' ? amount.trim() : `-${amount.trim()}`,
        note,
      },
    });
    notifications.show({ message: t.transferred(data!.subscriber_balance), color: 'teal' });
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['get', '/v1/wallet'] }),
      queryClient.invalidateQueries({ queryKey: ['get', '/v1/wallet/ledger'] }),
      queryClient.invalidateQueries({ queryKey: ['get', '/v1/subscribers'] }),
      queryClient.invalidateQueries({ queryKey: ['get', '/v1/subscribers/{id}'] }),
    ]);
    onDone();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <SegmentedControl
          fullWidth
          aria-label={t.direction}
          data={[
            { value: 'give', label: t.give },
            { value: 'take', label: t.take },
          ]}
          {...form.getInputProps('direction')}
        />
        <Group grow>
          <Balance label={t.yourBalance} value={own.data?.balance} />
          <Balance label={t.theirBalance} value={subscriber.balance} />
        </Group>
        <TextInput
          label={t.howMuch}
          inputMode="decimal"
          dir="ltr"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('amount')}
        />
        <TextInput label={t.note} maxLength={200} {...writtenText} {...form.getInputProps('note')} />
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.transfer}
        </Button>
      </Stack>
    </form>
  );
}

function Balance({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{value === undefined ? '…' : <Amount value={value} />}</Text>
    </div>
  );
}

/** More than nothing, as the service reads it. */
export function isAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(text.trim()) && Number(text) > 0;
}
