import { Group, NativeSelect, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RowsTable } from '../../components/data-table.tsx';
import { useTexts } from '../../i18n/texts.tsx';

interface FileColumn {
  readonly name: string;
  /** What it becomes; '' is left out. */
  readonly target: string;
  readonly choices: readonly { value: string; label: string }[];
}

interface FileRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly mark?: ReactNode;
}

/** The first rows of a file; above each column, what it is to become. */
export function FileTable({
  columns,
  rows,
  onChange,
}: {
  readonly columns: readonly FileColumn[];
  readonly rows: readonly FileRow[];
  readonly onChange: (targets: readonly string[]) => void;
}) {
  const { contacts: t } = useTexts();
  const targets = columns.map(({ target }) => target);
  return (
    <RowsTable
      caption={t.previewCaption}
      className="preview-table"
      withTableBorder
      rows={rows}
      rowKey={({ line }) => line}
      columns={[
        {
          title: t.line,
          cell: ({ line, mark }) => (
            <Group gap={6} wrap="nowrap">
              {mark}
              <bdi dir="ltr" className="figures">
                {line}
              </bdi>
            </Group>
          ),
        },
        ...columns.map(({ name, target, choices }, index) => ({
          key: String(index),
          title: name,
          leftOut: target === '',
          header: (
            <>
              <Text size="sm" fw={600} truncate mb={4}>
                <bdi>{name}</bdi>
              </Text>
              <NativeSelect
                size="xs"
                aria-label={t.columnOf(name)}
                value={target}
                data={choices}
                onChange={(event) => onChange(targets.with(index, event.currentTarget.value))}
              />
            </>
          ),
          cell: ({ cells }: FileRow) => <bdi>{cells[index] ?? ''}</bdi>,
        })),
      ]}
    />
  );
}
