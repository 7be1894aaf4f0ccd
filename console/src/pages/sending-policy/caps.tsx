import { Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Plus } from 'lucide-react';
import { Card } from '../../components/card.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { RemoveButton } from '../../components/remove-button.tsx';
import { Muted } from '../../components/text.tsx';
import { useChannelName } from '../../features/messages/channels.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Policy, useChangePolicy, usePolicyTexts } from './policy.ts';

const DAY_HOURS = 24;
const MAX_DAYS = 31;
const MAX_CAPS = 10;
const MAX_MESSAGES = 1_000;
const channels = ['sms', 'voice', 'chat', 'mail'] as const;
const ALL = 'all';
type Channel = (typeof channels)[number];

/** A frequency cap for display, in whole days where possible. */
interface Row {
  messages: number;
  number: number;
  unit: 'hours' | 'days';
  channel: Channel | typeof ALL;
}

function rowOf({ messages, hours, channel }: Policy['caps'][number]): Row {
  const inDays = hours % DAY_HOURS === 0;
  return {
    messages,
    number: inDays ? hours / DAY_HOURS : hours,
    unit: inDays ? 'days' : 'hours',
    channel: (channel as Channel | null) ?? ALL,
  };
}

const capOf = ({ messages, number, unit, channel }: Row) => ({
  messages,
  hours: unit === 'days' ? number * DAY_HOURS : number,
  channel: channel === ALL ? null : channel,
});

const usual: Row = { messages: 3, number: 7, unit: 'days', channel: ALL };

/** How many messages one recipient gets. */
export function Caps({ policy }: { readonly policy: Policy }) {
  const { caps: t } = usePolicyTexts();
  const { common } = useTexts();
  const nameOf = useChannelName();
  const change = useChangePolicy();
  const form = useForm({ initialValues: { caps: policy.caps.map(rowOf), over_cap: policy.over_cap } });
  const submission = useSubmission(form, ({ caps, over_cap }) => change({ caps: caps.map(capOf), over_cap }));
  const { caps } = form.values;
  return (
    <Card id="caps" title={t.title} lead={t.hint}>
      <Form submission={submission} action={common.save} narrow>
        <Stack gap="sm">
          {caps.length === 0 && <Muted>{t.none}</Muted>}
          {caps.map(({ unit }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a form have nothing but their place
            <Group key={index} gap="xs" align="flex-start">
              <NumberInput
                aria-label={t.messages(index + 1)}
                min={1}
                max={MAX_MESSAGES}
                allowDecimal={false}
                required
                w={90}
                {...form.getInputProps(`caps.${index}.messages`)}
              />
              <Text size="sm" lh="36px">
                {t.within}
              </Text>
              <NumberInput
                aria-label={t.number(index + 1)}
                min={1}
                max={unit === 'days' ? MAX_DAYS : MAX_DAYS * DAY_HOURS}
                allowDecimal={false}
                required
                w={90}
                {...form.getInputProps(`caps.${index}.number`)}
              />
              <Select
                aria-label={t.unit(index + 1)}
                data={Object.entries(t.units).map(([value, label]) => ({ value, label }))}
                allowDeselect={false}
                w={110}
                {...form.getInputProps(`caps.${index}.unit`)}
              />
              <Select
                aria-label={t.channel(index + 1)}
                data={[
                  { value: ALL, label: t.allChannels },
                  ...channels.map((value) => ({ value, label: nameOf(value) })),
                ]}
                allowDeselect={false}
                w={170}
                {...form.getInputProps(`caps.${index}.channel`)}
              />
              <RemoveButton label={t.remove(index + 1)} onClick={() => form.removeListItem('caps', index)} />
            </Group>
          ))}
          {caps.length < MAX_CAPS && (
            <div>
              <Button
                variant="default"
                size="xs"
                leftSection={<Plus size={14} aria-hidden />}
                onClick={() => form.insertListItem('caps', { ...usual })}
              >
                {t.add}
              </Button>
            </div>
          )}
        </Stack>
        {caps.length > 0 && (
          <ChoiceField label={t.over} choices={t.actions} {...form.getInputProps('over_cap')} />
        )}
      </Form>
    </Card>
  );
}
