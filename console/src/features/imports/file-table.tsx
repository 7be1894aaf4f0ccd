import { Group, NativeSelect, Text } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDot } from 'lucide-react';
import { RowsTable } from '../../components/data-table.tsx';
import { Muted } from '../../components/text.tsx';
import { useContactTexts } from './texts.ts';

interface FileColumn {
  readonly name: string;
  /** Target of the column; '' leaves it out. */
  readonly target: string;
  readonly choices: readonly { value: string; label: string }[];
}

/** Result of an import for a row, in one of the lists that the file goes to. */
export interface Effect {
  /** Name of the list; absent for a file that goes to one list. */
  readonly list?: string;
  readonly kind: 'added' | 'present' | 'skipped';
  readonly text: string;
}

interface FileRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly effects: readonly Effect[];
}

/** The first rows of a file with what happens to them; above each column, what it is to become. */
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
  const bad = rows.filter(({ effects }) => effects.some(({ kind }) => kind === 'skipped')).length;
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
            cell: ({ line }) => (
              <bdi dir="ltr" className="figures">
                {line}
              </bdi>
            ),
          },
          {
            title: t.effect,
            cell: ({ effects }) => effects.map((effect) => <EffectMark key={effect.list} {...effect} />),
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

const icons = { added: CircleCheck, present: CircleDot, skipped: CircleAlert } as const;
const colors = { added: 'teal', present: 'gray', skipped: 'red' } as const;

function EffectMark({ list, kind, text }: Effect) {
  const Icon = icons[kind];
  return (
    <Group gap={6} wrap="nowrap">
      <Icon size={16} aria-hidden color={`var(--mantine-color-${colors[kind]}-6)`} />
      <span>
        {list !== undefined && <bdi>{list}: </bdi>}
        {text}
      </span>
    </Group>
  );
}
