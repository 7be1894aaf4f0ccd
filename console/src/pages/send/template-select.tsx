import { Select } from '@mantine/core';

interface Choice {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
}

/** Chooses one of the templates that can be sent. `templates`: undefined while they load; `value`: '' for none. */
export function TemplateSelect({
  label,
  hint,
  none,
  templates,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  /** Shown in place of `hint` when there are no templates. */
  readonly none: string;
  readonly templates: readonly Choice[] | undefined;
  readonly value: string;
  readonly onChange: (id: string | null) => void;
}) {
  return (
    <Select
      label={label}
      dir="ltr"
      placeholder={templates?.length === 0 ? none : hint}
      data={(templates ?? []).map(({ template_id, name, language }) => ({
        value: template_id,
        label: `${name} · ${language}`,
      }))}
      value={value === '' ? null : value}
      onChange={onChange}
      searchable
      w={{ base: '100%', xs: 260 }}
    />
  );
}
