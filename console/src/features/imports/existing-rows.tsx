import { ChoiceField } from '../../components/choice-field.tsx';
import { useContactTexts } from './texts.ts';

/** Treatment of rows that are in the list already. */
export type ExistingRows = 'update' | 'keep';

/** Chooses what an import does with rows that are in the list already. */
export function ExistingRowsField({
  value,
  onChange,
}: {
  readonly value: ExistingRows;
  readonly onChange: (value: ExistingRows) => void;
}) {
  const t = useContactTexts();
  return (
    <ChoiceField
      label={t.existing}
      hint={t.existingHints[value]}
      choices={t.existingChoices}
      size="xs"
      value={value}
      onChange={(choice) => onChange(choice as ExistingRows)}
    />
  );
}
