import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useTexts } from '../../i18n/texts.tsx';
import type { Campaign } from './campaign.ts';

/** Asks when a scheduled campaign begins instead. */
export function Reschedule({
  campaign,
  onChange,
}: {
  readonly campaign: Campaign;
  readonly onChange: (campaign: Campaign) => void;
}) {
  const { campaigns: t, common, send } = useTexts();
  const dialog = useDialog()!;
  const done = useDone();
  const [at, setAt] = useState(campaign.due_at);
  const isPast = at === '' || Date.parse(at) <= Date.now();
  const { busy, error, run } = useTask(async () => {
    const { data } = await client.POST('/v1/campaigns/{id}/reschedule', {
      ...byId(campaign.id),
      body: { at },
    });
    onChange(data!);
    dialog.close();
    await done(t.rescheduled, '/v1/campaigns', '/v1/campaigns/{id}');
  });
  return (
    <Stack>
      <DateTimeInput label={t.begins} value={at} future onChange={setAt} error={isPast && send.past} />
      <ErrorNote error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={dialog.close}>
          {common.back}
        </Button>
        <Button loading={busy} disabled={isPast} onClick={() => void run()}>
          {t.reschedule}
        </Button>
      </Group>
    </Stack>
  );
}
