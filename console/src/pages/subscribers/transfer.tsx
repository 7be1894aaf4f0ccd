import { Group, SegmentedControl } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Figure } from '../../components/text.tsx';
import { Amount } from '../../components/values.tsx';
import { SUBSCRIBER, SUBSCRIBERS, type Subscriber } from './subscriber.tsx';
import { useSubscriberTexts } from './texts.ts';

/** Moves credit between the account and a subscriber, either way. */
export function TransferForm({ subscriber }: { readonly subscriber: Subscriber }) {
  const t = useSubscriberTexts();
  const done = useDone();
  const own = useAnswer('/v1/wallet', {});
  const form = useForm({
    initialValues: { direction: 'give', amount: '', note: '' },
    validate: { amount: (amount) => (isAmount(amount) ? null : t.badAmount) },
  });
  const submission = useSubmission(form, async ({ direction, amount, note }) => {
    const data = await client.POST('/v1/wallet/transfer', {
      body: {
        username: subscriber.username,
        amount: direction === 'give' ? amount.trim() : `-${amount.trim()}`,
        note,
      },
    });
    await done(
      t.transferred(data.subscriber_balance),
      '/v1/wallet',
      '/v1/wallet/ledger',
      SUBSCRIBERS,
      SUBSCRIBER,
    );
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.transfer}>
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
        <Figure label={t.yourBalance} size="md">
          {own.data ? <Amount value={own.data.balance} unit /> : '…'}
        </Figure>
        <Figure label={t.theirBalance} size="md">
          <Amount value={subscriber.balance} unit />
        </Figure>
      </Group>
      {field.text('amount', t.howMuch, { required: true, focus: true, inputMode: 'decimal' })}
      {field.text('note', t.note, { written: true, maxLength: 200 })}
    </Form>
  );
}

/** More than nothing, as the service reads it. */
function isAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(text.trim()) && Number(text) > 0;
}
