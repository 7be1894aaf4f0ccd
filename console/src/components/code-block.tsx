import { Box, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import { useDialog } from './dialogs.tsx';

/** Code to read and to copy. `shown` is what is on the screen when that differs, as with a token that is hidden. */
export function CodeBlock({
  code,
  shown = code,
  label,
}: {
  readonly code: string;
  readonly shown?: string;
  readonly label: string;
}) {
  return (
    <Box className="code-block" dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard too */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{shown}</code>
        </pre>
      </section>
      <Box className="code-copy">
        <Copy value={code} />
      </Box>
    </Box>
  );
}

/** Shows a secret once, in a dialog, with instructions and a button that confirms that it is stored. */
export function ShownOnce({
  text,
  code,
  label,
  done,
  note,
}: {
  readonly text: ReactNode;
  readonly code: string;
  readonly label: string;
  readonly done: string;
  /** Beside the button. */
  readonly note?: ReactNode;
}) {
  const dialog = useDialog();
  return (
    <Stack>
      {text}
      <CodeBlock code={code} label={label} />
      <Group justify="space-between">
        <div>{note}</div>
        <Button onClick={dialog?.close}>{done}</Button>
      </Group>
    </Stack>
  );
}
