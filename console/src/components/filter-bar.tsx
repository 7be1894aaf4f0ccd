import { NativeSelect, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { FilterX, Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { textsOfPages, useTexts } from '../i18n/use-texts.tsx';
import { Action } from './action.tsx';
import { choicesOf } from './choices.ts';
import { DayFilters, usePeriodText } from './day-filters.tsx';
import './filter-bar.css';
import { filterBar as en } from './filter-bar-texts.en.ts';
import { filterBar as he } from './filter-bar-texts.he.ts';
import type { Filters } from './use-filters.ts';

const useBarTexts = textsOfPages({ en, he });

type Choices = Readonly<Record<string, string>> | readonly { value: string; label: string }[];

/** One filter of a list. */
export type FilterField<Name extends string> =
  /** A few choices: names by value, or choices in their order. */
  | { readonly kind: 'choice'; readonly name: Name; readonly label: string; readonly choices: Choices }
  /** A code, applied when the person leaves the input or presses Enter. */
  | { readonly kind: 'text'; readonly name: Name; readonly label: string }
  /** The filters `from` and `until`, together a period. */
  | { readonly kind: 'days' }
  /** A filter with a custom input. `shown` is its value in words. */
  | {
      readonly kind: 'own';
      readonly name: Name;
      readonly label: string;
      readonly shown: ReactNode;
      readonly input: ReactNode;
    };

/**
 * Line of filters above a list: a chip for each filter that is set, and for the period; a button that opens all filters; and at
 * its end `children`, the search.
 */
export function FilterBar<Name extends string>({
  filters,
  fields,
  children,
}: {
  readonly filters: Filters<Name>;
  readonly fields: readonly FilterField<NoInfer<Name>>[];
  readonly children?: ReactNode;
}) {
  const { filters: t } = useTexts();
  const own = useBarTexts();
  const [opened, setOpened] = useState(false);
  /** Label of the filter whose input gets the focus. */
  const [focused, setFocused] = useState<string>();
  const open = (label?: string) => {
    setFocused(label);
    setOpened(label !== undefined || !opened);
  };
  const popup = { 'aria-haspopup': 'dialog', 'aria-expanded': opened } as const;
  // A list with the field `days` has these two filters.
  const days = filters as unknown as Filters<'from' | 'until'>;
  return (
    <search className="filter-bar" aria-label={t.label}>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={280}
        trapFocus
        returnFocus
        withRoles={false}
      >
        <Popover.Target>
          <div className="filter-chips">
            {fields.map((field) =>
              field.kind === 'days' ? (
                <PeriodChip key="days" filters={days} {...{ open, popup }} />
              ) : (
                filters.values[field.name] !== '' && (
                  <Chip
                    key={field.name}
                    label={field.label}
                    value={shownOf(field, filters.values[field.name])}
                    onRemove={() => filters.set(field.name, '')}
                    {...{ open, popup }}
                  />
                )
              ),
            )}
            <UnstyledButton className="filter-chip filter-add" onClick={() => open()} {...popup}>
              <Plus size={14} aria-hidden />
              {own.add}
            </UnstyledButton>
          </div>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={t.label}>
          <Stack gap="sm">
            {fields.map((field) =>
              field.kind === 'days' ? (
                <DayFilters key="days" filters={days} autoFocus={focused === t.period} />
              ) : (
                <Field
                  key={field.name}
                  field={field}
                  value={filters.values[field.name]}
                  onChange={(value) => filters.set(field.name, value)}
                  autoFocus={focused === field.label}
                />
              ),
            )}
            {filters.any && (
              <Action icon={FilterX} variant="subtle" color="gray" onClick={filters.clear}>
                {t.clear}
              </Action>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {children !== undefined && <div className="filter-search">{children}</div>}
    </search>
  );
}

type OneField = Exclude<FilterField<string>, { kind: 'days' }>;

function shownOf(field: OneField, value: string): ReactNode {
  switch (field.kind) {
    case 'own':
      return field.shown;
    case 'text':
      return <bdi>{value}</bdi>;
    case 'choice':
      return optionsOf(field.choices).find((one) => one.value === value)?.label ?? value;
  }
}

const optionsOf = (choices: Choices): readonly { value: string; label: string }[] =>
  Array.isArray(choices) ? choices : choicesOf(choices as Readonly<Record<string, string>>);

interface ChipProps {
  readonly label: string;
  readonly value: ReactNode;
  /** Without it, the filter cannot be removed. */
  readonly onRemove: (() => void) | undefined;
  readonly open: (label: string) => void;
  readonly popup: { readonly 'aria-haspopup': 'dialog'; readonly 'aria-expanded': boolean };
}

/** Chip of the period, which is always shown. */
function PeriodChip({
  filters,
  ...rest
}: { readonly filters: Filters<'from' | 'until'> } & Pick<ChipProps, 'open' | 'popup'>) {
  const { filters: t } = useTexts();
  const { from, until } = filters.values;
  const remove = () => filters.setAll({ from: '', until: '' });
  return (
    <Chip
      label={t.period}
      value={usePeriodText(filters.values)}
      onRemove={from === '' && until === '' ? undefined : remove}
      {...rest}
    />
  );
}

/** A filter with its value. */
function Chip({ label, value, onRemove, open, popup }: ChipProps) {
  const own = useBarTexts();
  return (
    <span className="filter-chip">
      <UnstyledButton className="filter-value" onClick={() => open(label)} {...popup}>
        {label} <b>{value}</b>
      </UnstyledButton>
      {onRemove && (
        <UnstyledButton className="filter-remove" aria-label={own.remove(label)} onClick={onRemove}>
          <X size={12} aria-hidden />
        </UnstyledButton>
      )}
    </span>
  );
}

/** The input of a filter. */
function Field({
  field,
  value,
  onChange,
  autoFocus,
}: {
  readonly field: OneField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus: boolean;
}) {
  const { filters: t } = useTexts();
  if (field.kind === 'own') return field.input;
  const common = { label: field.label, 'data-autofocus': autoFocus || undefined };
  if (field.kind === 'choice')
    return (
      <NativeSelect
        {...common}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[{ value: '', label: t.all }, ...optionsOf(field.choices)]}
      />
    );
  return <TextFilter {...common} dir="ltr" value={value} onApply={onChange} />;
}

/** An input that applies its text when the person leaves it or presses Enter. */
function TextFilter({
  value,
  onApply,
  ...props
}: { readonly value: string; readonly onApply: (text: string) => void } & Omit<
  React.ComponentProps<typeof TextInput>,
  'value' | 'defaultValue'
>) {
  const apply = (input: HTMLInputElement) => onApply(input.value.trim());
  return (
    <TextInput
      // Removing its chip empties it.
      key={String(value === '')}
      {...props}
      defaultValue={value}
      onBlur={(event) => apply(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget);
      }}
    />
  );
}
