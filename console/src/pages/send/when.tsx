import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useTimeZone } from '../../api/session-context.ts';
import { localOf } from '../../components/time-zone.ts';
import { useTexts } from '../../i18n/texts.tsx';

const HOUR_MS = 3_600_000;

/** Now, or at a time of the account's zone: '' is now, else `2026-03-24T07:31`. */
export function When({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (local: string) => void;
  readonly error: string | undefined;
}) {
  const { send: t } = useTexts();
  const zone = useTimeZone();
  const shownZone = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Stack gap="xs">
      <div>
        <Input.Label id="send-when">{t.when}</Input.Label>
        <div>
          <SegmentedControl
            aria-labelledby="send-when"
            value={value === '' ? 'now' : 'later'}
            onChange={(choice) => onChange(choice === 'now' ? '' : localOf(Date.now() + HOUR_MS, zone))}
            data={[
              { value: 'now', label: t.now },
              { value: 'later', label: t.later },
            ]}
          />
        </div>
      </div>
      {value !== '' && (
        <TextInput
          type="datetime-local"
          label={t.at}
          description={t.zone(shownZone)}
          value={value}
          min={localOf(Date.now(), zone)}
          error={error}
          onChange={(event) => {
            if (event.currentTarget.value !== '') onChange(event.currentTarget.value);
          }}
          w={{ base: '100%', xs: 240 }}
        />
      )}
    </Stack>
  );
}
