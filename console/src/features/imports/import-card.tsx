import { Alert, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { TriangleAlert, Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useContactTexts } from './texts.ts';

/** Whether the first row of a file has the names of its columns. */
export type Header = 'auto' | 'yes' | 'no';

/** A chosen file, how its first row is read, and the button that imports it. */
export function ImportCard({
  title,
  lead,
  headers = ['auto', 'yes', 'no'],
  header,
  onHeader,
  ready = true,
  disabled = false,
  start,
  onOther,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly headers?: readonly Header[];
  readonly header: Header;
  readonly onHeader: (header: Header) => void;
  /** Whether there is a button yet. */
  readonly ready?: boolean;
  readonly disabled?: boolean;
  /** Uploads the file. Returns the address of the page that shows the progress. */
  readonly start: () => Promise<string>;
  readonly onOther: () => void;
  readonly children?: ReactNode;
}) {
  const t = useContactTexts();
  const [, navigate] = useLocation();
  const { busy, error, run } = useTask(async () => navigate(await start()));
  return (
    <Card
      title={title}
      lead={lead}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={onOther} disabled={busy}>
          {t.otherFile}
        </Button>
      }
    >
      <Group gap="sm">
        <Text size="sm" id="header-row">
          {t.headerRow}
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="header-row"
          value={header}
          onChange={onHeader}
          data={headers.map((value) => ({ value, label: t.headerChoices[value] }))}
        />
      </Group>
      {children}
      <ErrorNote error={error} />
      {ready && (
        <Group>
          <Action icon={Upload} loading={busy} disabled={disabled} onClick={() => void run()}>
            {t.start}
          </Action>
          {busy && (
            <Text size="sm" role="status">
              {t.uploading}
            </Text>
          )}
        </Group>
      )}
    </Card>
  );
}

/** Problem that prevents the import of a file. */
export function FileProblem({
  children,
  color = 'orange',
}: {
  children: ReactNode;
  color?: 'orange' | 'red';
}) {
  return (
    <Alert color={color} icon={<TriangleAlert />} role="alert">
      {children}
    </Alert>
  );
}

/** Whether two columns would become the same field. */
export function hasTwice(targets: readonly string[]): boolean {
  const taken = targets.filter((target) => target !== '');
  return new Set(taken).size < taken.length;
}
