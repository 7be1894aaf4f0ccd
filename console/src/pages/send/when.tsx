import { Input, SegmentedControl, Stack } from '@mantine/core';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { useTexts } from '../../i18n/texts.tsx';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Now, or at a time: '' is now, else ISO 8601. */
export function When({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (at: string) => void;
  readonly error: string | undefined;
}) {
  const { send: t } = useTexts();
  const inAnHour = () => new Date(Math.floor((Date.now() + HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  return (
    <Stack gap="xs">
      <div>
        <Input.Label id="send-when">{t.when}</Input.Label>
        <div>
          <SegmentedControl
            aria-labelledby="send-when"
            value={value === '' ? 'now' : 'later'}
            onChange={(choice) => onChange(choice === 'now' ? '' : inAnHour())}
            data={[
              { value: 'now', label: t.now },
              { value: 'later', label: t.later },
            ]}
          />
        </div>
      </div>
      {value !== '' && (
        <DateTimeInput
          label={t.at}
          value={value}
          future
          error={error}
          onChange={(at) => {
            if (at !== '') onChange(at);
          }}
          w={{ base: '100%', xs: 240 }}
        />
      )}
    </Stack>
  );
}
