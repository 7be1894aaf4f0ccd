import { Select } from '@mantine/core';
import { writtenText } from '../../components/direction.ts';

const zones = Intl.supportedValuesOf('timeZone');
const SHOWN = 50;

/** Chooses a time zone by its name. `instead` says which one applies without a choice. */
export function ZoneSelect({
  id,
  label,
  hint,
  value,
  instead,
  onChoose,
}: {
  /** Fragment of the address that scrolls to it. */
  readonly id?: string;
  readonly label: string;
  readonly hint: string;
  /** Name of the IANA database. */
  readonly value: string | null;
  readonly instead: string;
  readonly onChoose: (zone: string | null) => void;
}) {
  return (
    <Select
      id={id}
      label={label}
      description={hint}
      placeholder={instead}
      // Browsers leave out names that are another zone's, as UTC.
      data={value === null || zones.includes(value) ? zones : [value, ...zones]}
      value={value}
      onChange={onChoose}
      limit={SHOWN}
      searchable
      clearable
      {...writtenText}
    />
  );
}
