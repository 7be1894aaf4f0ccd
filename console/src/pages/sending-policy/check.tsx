import { Alert, Group, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { Card } from '../../components/card.tsx';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Time } from '../../components/values.tsx';
import { useChannelName } from '../../features/messages/channels.ts';
import { usePolicyTexts } from './policy.ts';

/** Channels whose consents and frequency caps the check covers. */
const channels = ['sms', 'voice', 'chat', 'mail'] as const;
type Channel = (typeof channels)[number];
const CHECK = '/v1/sending-policy/check';

/** Checks whether a recipient may be sent to at a time, and if not, when. */
export function CheckRecipient() {
  const { check: t } = usePolicyTexts();
  const nameOf = useChannelName();
  const [answer, setAnswer] = useState<Answer<typeof CHECK>>();
  const form = useForm({ initialValues: { to: '', at: '', channel: 'sms' as Channel } });
  const submission = useSubmission(form, async ({ to, at, channel }) => {
    const query = { to, channel, ...(at !== '' && { at }) };
    const data = await client.GET(CHECK, { query });
    setAnswer(data);
  });
  return (
    <Card id="check" title={t.title} lead={t.hint}>
      <Form submission={submission} action={t.action} narrow>
        <Group gap="md" align="flex-start">
          {fieldsOf(form).text('to', t.to, { required: true, maxLength: 255, w: { base: '100%', xs: 260 } })}
          <Select
            label={t.channel}
            data={channels.map((value) => ({ value, label: nameOf(value) }))}
            allowDeselect={false}
            w={{ base: '100%', xs: 150 }}
            {...form.getInputProps('channel')}
          />
          <DateTimeInput
            label={t.at}
            value={form.values.at}
            onChange={(at) => form.setFieldValue('at', at)}
            error={form.errors.at}
          />
        </Group>
        <div aria-live="polite">{answer && <Result answer={answer} />}</div>
      </Form>
    </Card>
  );
}

function Result({ answer }: { readonly answer: Answer<typeof CHECK> }) {
  const { check: t } = usePolicyTexts();
  const { because, permitted_from } = answer;
  if (because === null) return <Alert color="green">{t.permitted}</Alert>;
  return (
    <Alert color="orange">
      {t.reasons[because]}{' '}
      {permitted_from !== null && (
        <>
          {t.from} <Time at={permitted_from} />
        </>
      )}
    </Alert>
  );
}
