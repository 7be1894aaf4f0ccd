import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { ACCOUNT, ACCOUNTS, type Account } from './account.tsx';
import { useOperatorTexts } from './texts.ts';

/** Adds credit to the wallet of an account, or removes it. */
export function CreditForm({ account }: { readonly account: Account }) {
  const { accounts: t } = useOperatorTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { amount: '', note: '' },
    validate: {
      amount: (amount) =>
        /^-?\d{1,12}(\.\d{1,4})?$/.test(amount.trim()) && Number(amount) !== 0 ? null : t.badAmount,
    },
  });
  const submission = useSubmission(form, async ({ amount, note }) => {
    const data = await client.POST('/v1/operator/accounts/{id}/top-up', {
      ...byId(account.id),
      body: { amount: amount.trim(), ...(note.trim() !== '' && { note: note.trim() }) },
    });
    await done(t.credited(data.balance), ACCOUNTS, ACCOUNT, '/v1/wallet', '/v1/wallet/ledger');
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.addCredit}>
      {field.text('amount', t.amount, { hint: t.amountHint, required: true, focus: true })}
      {field.text('note', t.note, { written: true, maxLength: 200 })}
    </Form>
  );
}
