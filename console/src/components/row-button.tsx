import { Button, type ButtonProps } from '@mantine/core';

/** A small button in the row of a table. `of` names the row, for those who cannot see it. */
export function RowButton({
  of,
  children,
  ...props
}: ButtonProps & { readonly of: string; readonly children: string; readonly onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" aria-label={`${children}: ${of}`} {...props}>
      {children}
    </Button>
  );
}
