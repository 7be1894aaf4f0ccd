import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { type Account, accountKey, accountsKey } from './account.tsx';

/** Adds credit to the wallet of an account, or takes it. */
export function AddCredit({
  account,
  onClose,
}: {
  readonly account: Account | undefined;
  readonly onClose: () => void;
}) {
  const { common, operator } = useTexts();
  return (
    <Modal
      opened={account !== undefined}
      onClose={onClose}
      title={account && operator.accounts.creditTitle(account.name)}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {account && <CreditForm account={account} onDone={onClose} />}
    </Modal>
  );
}

function CreditForm({ account, onDone }: { readonly account: Account; readonly onDone: () => void }) {
  const { accounts: t } = useTexts().operator;
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { amount: '', note: '' },
    validate: {
      amount: (amount) =>
        /^-?\d{1,12}(\.\d{1,4})?$/.test(amount.trim()) && Number(amount) !== 0 ? null : t.badAmount,
    },
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ amount, note }) => {
    const { data } = await client.POST('/v1/operator/accounts/{id}/top-up', {
      params: { path: { id: account.id } },
      body: { amount: amount.trim(), ...(note.trim() !== '' && { note: note.trim() }) },
    });
    notifications.show({ message: t.credited(data!.balance), color: 'teal' });
    await Promise.all(
      [accountsKey, accountKey, ['get', '/v1/wallet'], ['get', '/v1/wallet/ledger']].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
    onDone();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.amount}
          description={t.amountHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="ltr"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('amount')}
        />
        <TextInput label={t.note} maxLength={200} {...writtenText} {...form.getInputProps('note')} />
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.addCredit}
        </Button>
      </Stack>
    </form>
  );
}
