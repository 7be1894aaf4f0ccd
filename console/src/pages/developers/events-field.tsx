import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { choicesOf } from '../../components/choices.ts';
import { useWebhookTexts } from './webhook-texts.ts';

/** Event types of a webhook endpoint; no selection means all. */
export function EventsField(props: MultiSelectProps) {
  const t = useWebhookTexts();
  return (
    <MultiSelect
      label={t.events}
      description={t.eventsHint}
      placeholder={props.value?.length ? undefined : t.allEvents}
      data={choicesOf(t.eventNames)}
      clearable
      {...props}
    />
  );
}
