import { Input, SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import { useId } from 'react';

/** One of a few choices under a label. */
export function ChoiceField<Value extends string>({
  label,
  hint,
  choices,
  ...props
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly choices: Readonly<Record<Value, string>>;
} & Omit<SegmentedControlProps, 'data'>) {
  const id = useId();
  return (
    <div>
      <Input.Label id={id}>{label}</Input.Label>
      <div>
        <SegmentedControl
          aria-labelledby={id}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          data={Object.entries<string>(choices).map(([value, text]) => ({ value, label: text }))}
          {...props}
        />
      </div>
      {hint !== undefined && (
        <Input.Description id={`${id}-hint`} mt={4}>
          {hint}
        </Input.Description>
      )}
    </div>
  );
}
