import { Group, NativeSelect, Text, Tooltip } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { RowsTable } from '../../components/data-table.tsx';
import { Muted } from '../../components/text.tsx';
import { useContactTexts } from './texts.ts';

interface FileColumn {
  readonly name: string;
  /** Target of the column; '' leaves it out. */
  readonly target: string;
  readonly choices: readonly { value: string; label: string }[];
}

interface FileRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why an import skips it, in the service's words; null for a row that is imported. */
  readonly problem: string | null;
}

/** The first rows of a file, invalid ones marked; above each column, what it is to become. */
export function FileTable({
  columns,
  rows,
  onChange,
}: {
  readonly columns: readonly FileColumn[];
  readonly rows: readonly FileRow[];
  readonly onChange: (targets: readonly string[]) => void;
}) {
  const t = useContactTexts();
  const targets = columns.map(({ target }) => target);
  const bad = rows.filter(({ problem }) => problem !== null).length;
  return (
    <>
      <RowsTable
        caption={t.previewCaption}
        className="preview-table"
        withTableBorder
        rows={rows}
        rowKey={({ line }) => line}
        columns={[
          {
            title: t.line,
            cell: ({ line, problem }) => (
              <Group gap={6} wrap="nowrap">
                <RowMark problem={problem} />
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
      {bad > 0 && (
        <Muted>
          {t.badRows(bad)} {t.rowsLeftOut}
        </Muted>
      )}
    </>
  );
}

function RowMark({ problem }: Pick<FileRow, 'problem'>) {
  const t = useContactTexts();
  const reason = problem === null ? t.usable : (t.reasons[problem] ?? problem);
  const Icon = problem === null ? CircleCheck : CircleAlert;
  return (
    <Tooltip label={reason}>
      <Icon
        size={16}
        role="img"
        aria-label={reason}
        color={`var(--mantine-color-${problem === null ? 'teal' : 'red'}-6)`}
      />
    </Tooltip>
  );
}
