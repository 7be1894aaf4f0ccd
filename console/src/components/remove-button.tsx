import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { X } from 'lucide-react';

/** Removes an entry of a list in a form. `label` names the entry. */
export function RemoveButton({
  label,
  ...props
}: ActionIconProps & { readonly label: string; readonly onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="input-sm" aria-label={label} {...props}>
      <X size={16} aria-hidden />
    </ActionIcon>
  );
}
