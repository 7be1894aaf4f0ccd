import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import type { Campaign } from '../../features/campaigns/campaign.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Dialog that sets a new time for a scheduled campaign. */
export function Reschedule({
  campaign,
  onChange,
}: {
  readonly campaign: Campaign;
  readonly onChange: (campaign: Campaign) => void;
}) {
  const { campaigns: t, send } = useTexts();
  const done = useDone();
  const form = useForm({ initialValues: { at: campaign.due_at } });
  const { at } = form.values;
  const isPast = at === '' || Date.parse(at) <= Date.now();
  const submission = useSubmission(form, async (values) => {
    const data = await client.POST('/v1/campaigns/{id}/reschedule', {
      ...byId(campaign.id),
      body: values,
    });
    onChange(data);
    await done(t.rescheduled, '/v1/campaigns', '/v1/campaigns/{id}');
  });
  const { value, onChange: setAt, error } = form.getInputProps('at');
  return (
    <Form submission={submission} action={t.reschedule} disabled={isPast}>
      <DateTimeInput
        label={t.begins}
        value={value}
        future
        onChange={setAt}
        error={error ?? (isPast && send.past)}
      />
    </Form>
  );
}
