import { NativeSelect, Table, Text } from '@mantine/core';
import { useTexts } from '../../i18n/texts.tsx';
import { fieldTarget, type Target } from './csv-sample.ts';

const standard = ['email', 'first_name', 'last_name', 'cellphone'] as const;

/** The first rows of a file; above each column, what of a user it is to become. */
export function ColumnsTable({
  rows,
  named,
  fields,
  targets,
  onChange,
}: {
  readonly rows: readonly (readonly string[])[];
  readonly named: boolean;
  /** The names of fields that the list's users have. */
  readonly fields: readonly string[];
  readonly targets: readonly Target[];
  readonly onChange: (targets: readonly Target[]) => void;
}) {
  const { mailLists: t, contacts } = useTexts();
  const first = named ? 1 : 0;
  const nameOf = (index: number) => (named && rows[0]?.[index]) || contacts.column(index + 1);
  const choicesFor = (index: number) => [
    ...standard.map((value) => ({ value, label: t.targets[value] })),
    ...[...new Set([nameOf(index), ...fields])].map((name) => ({
      value: fieldTarget(name),
      label: t.targetField(name),
    })),
    { value: '', label: t.targets.none },
  ];
  return (
    <Table.ScrollContainer minWidth={240}>
      <Table className="preview-table" withTableBorder>
        <Table.Caption className="table-caption">{contacts.previewCaption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{contacts.line}</Table.Th>
            {targets.map((target, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have nothing but their place
              <Table.Th key={index} scope="col">
                <Text size="sm" fw={600} truncate mb={4}>
                  <bdi>{nameOf(index)}</bdi>
                </Text>
                <NativeSelect
                  size="xs"
                  aria-label={contacts.columnOf(nameOf(index))}
                  value={target}
                  data={choicesFor(index)}
                  onChange={(event) => onChange(targets.with(index, event.currentTarget.value))}
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(first).map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing but their place
            <Table.Tr key={place}>
              <Table.Td>
                <bdi dir="ltr" className="figures">
                  {place + first + 1}
                </bdi>
              </Table.Td>
              {targets.map((target, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have nothing but their place
                <Table.Td key={index} data-left-out={target === '' || undefined}>
                  <bdi>{row[index] ?? ''}</bdi>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
