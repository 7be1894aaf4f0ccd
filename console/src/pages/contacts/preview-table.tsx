import { Group, NativeSelect, Table, Text, Tooltip } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useTexts } from '../../i18n/texts.tsx';
import type { Preview, Target } from './import-requests.ts';

const FIELDS = 6;

/** The first rows of a file; above each column, what it is to become. */
export function PreviewTable({
  preview,
  fields,
  targets,
  onChange,
}: {
  readonly preview: Preview;
  /** The names of the list's fields. */
  readonly fields: readonly string[];
  readonly targets: readonly Target[];
  readonly onChange: (targets: readonly Target[]) => void;
}) {
  const { contacts: t } = useTexts();
  const choices = [
    { value: 'phone', label: t.targetPhone },
    ...Array.from({ length: FIELDS }, (_, index) => ({
      value: String(index + 1),
      label: fields[index] ? `${t.field(index + 1)}: ${fields[index]}` : t.field(index + 1),
    })),
    { value: '', label: t.targetNone },
  ];
  return (
    <Table.ScrollContainer minWidth={240}>
      <Table className="preview-table" withTableBorder>
        <Table.Caption className="table-caption">{t.previewCaption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t.line}</Table.Th>
            {preview.columns.map(({ name }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have nothing but their place
              <Table.Th key={index} scope="col">
                <Text size="sm" fw={600} truncate mb={4}>
                  <bdi>{name || t.column(index + 1)}</bdi>
                </Text>
                <NativeSelect
                  size="xs"
                  aria-label={t.columnOf(name || t.column(index + 1))}
                  value={targets[index] ?? ''}
                  data={choices}
                  onChange={(event) =>
                    onChange(
                      preview.columns.map((_, place) =>
                        place === index ? event.currentTarget.value : (targets[place] ?? ''),
                      ),
                    )
                  }
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.rows.map((row) => {
            const reason = row.problem === null ? null : (t.reasons[row.problem] ?? row.problem);
            return (
              <Table.Tr key={row.line}>
                <Table.Td>
                  <Group gap={6} wrap="nowrap">
                    <Tooltip label={reason ?? t.usable}>
                      {reason === null ? (
                        <CircleCheck
                          size={16}
                          role="img"
                          aria-label={t.usable}
                          color="var(--mantine-color-teal-6)"
                        />
                      ) : (
                        <CircleAlert
                          size={16}
                          role="img"
                          aria-label={reason}
                          color="var(--mantine-color-red-6)"
                        />
                      )}
                    </Tooltip>
                    <bdi dir="ltr" className="figures">
                      {row.line}
                    </bdi>
                  </Group>
                </Table.Td>
                {preview.columns.map((_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have nothing but their place
                  <Table.Td key={index} data-left-out={targets[index] === '' || undefined}>
                    <bdi>{row.fields[index] ?? ''}</bdi>
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
