import { Box } from '@mantine/core';
import { Copy } from './copy.tsx';

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
