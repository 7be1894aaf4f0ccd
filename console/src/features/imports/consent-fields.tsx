import { Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { ChoiceField } from '../../components/choice-field.tsx';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { textsOfPages } from '../../i18n/use-texts.tsx';
import { useChannelName } from '../messages/channels.ts';
import { ANY, type ConsentChannel, type ConsentChoice, MAX_FORM } from './consent-choice.ts';
import { importConsent as en } from './consent-texts.en.ts';
import { importConsent as he } from './consent-texts.he.ts';

/** The texts, which are fetched with the page. */
const useConsentTexts = textsOfPages({ en, he });

/** Maximum length of a text in the query. */
const MAX_TEXT = 1_000;

/** Whether the people of a file agreed to messages, and by what. */
export function ConsentFields({
  value,
  onChange,
  channels,
  columns,
}: {
  readonly value: ConsentChoice | undefined;
  readonly onChange: (value: ConsentChoice | undefined) => void;
  /** Channels that the people in the file can consent to; the first is preselected. */
  readonly channels: readonly [ConsentChannel, ...ConsentChannel[]];
  /** The names of the columns. */
  readonly columns: readonly string[];
}) {
  const t = useConsentTexts();
  const nameOf = useChannelName();
  const none: ConsentChoice = { channel: channels[0], form: '', text: '', way: 'date', at: '', column: null };
  const change = (part: Partial<ConsentChoice>) => onChange({ ...(value ?? none), ...part });
  return (
    <Stack gap="sm">
      <Switch
        label={t.add}
        description={t.hint}
        checked={value !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? none : undefined)}
      />
      {value && (
        <Stack gap="sm" maw={620}>
          <Group gap="md" align="flex-start">
            <Select
              label={t.channel}
              data={channels.map((channel) => ({
                value: channel,
                label: channel === ANY ? t.any : nameOf(channel),
              }))}
              value={value.channel}
              onChange={(channel) => change({ channel: channel as ConsentChannel })}
              allowDeselect={false}
              w={{ base: '100%', xs: 220 }}
            />
            <TextInput
              label={t.form}
              description={t.formHint}
              inputWrapperOrder={['label', 'input', 'description']}
              maxLength={MAX_FORM}
              value={value.form}
              onChange={(event) => change({ form: event.currentTarget.value })}
              w={{ base: '100%', xs: 300 }}
            />
          </Group>
          <Textarea
            label={t.text}
            autosize
            minRows={2}
            maxLength={MAX_TEXT}
            value={value.text}
            onChange={(event) => change({ text: event.currentTarget.value })}
          />
          <ChoiceField
            label={t.when}
            choices={t.ways}
            size="xs"
            value={value.way}
            onChange={(way) => change({ way: way as ConsentChoice['way'] })}
          />
          {value.way === 'date' ? (
            <DateTimeInput label={t.at} value={value.at} onChange={(at) => change({ at })} />
          ) : (
            <Select
              label={t.column}
              description={t.columnHint}
              inputWrapperOrder={['label', 'input', 'description']}
              placeholder={t.choose}
              data={columns.map((name, index) => ({ value: String(index + 1), label: name }))}
              value={value.column === null ? null : String(value.column)}
              onChange={(column) => change({ column: column === null ? null : Number(column) })}
              maw={400}
            />
          )}
        </Stack>
      )}
    </Stack>
  );
}
