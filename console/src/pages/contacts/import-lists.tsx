import { Group, Select, TextInput } from '@mantine/core';
import { useChoices } from '../../api/paging.ts';
import { writtenText } from '../../components/direction.ts';
import { useContactTexts } from '../../features/imports/texts.ts';

const NONE = 'none';
const NEW = 'new';
const MAX_NAME = 100;

/** The list of one kind that a file goes to: none, a new one by its name, or an existing one by its id. */
export type Destination =
  | { readonly kind: typeof NONE }
  | { readonly kind: typeof NEW; readonly name: string }
  | { readonly kind: 'list'; readonly id: string };

export const nowhere: Destination = { kind: NONE };
/** A new list with the name of a file. */
export const newList = (file: File): Destination => ({
  kind: NEW,
  name: file.name.replace(/\.[^.]*$/, '').slice(0, MAX_NAME),
});
/** Whether a destination needs a name that it does not have. */
export const lacksName = (to: Destination): boolean => to.kind === NEW && to.name.trim() === '';

interface NamedList {
  readonly id: string;
  readonly name: string;
}

/** Returns all lists of one kind, the newest first. */
export const useContactLists = () => useChoices('/v1/contact-lists', (answer) => answer.contact_lists);
export const useMailLists = () => useChoices('/v1/mail/lists', ({ lists }) => lists);

/** Chooses the list of one kind: an existing one, a new one, or none. */
export function ListChoice({
  label,
  hint,
  lists,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly lists: readonly NamedList[];
  readonly value: Destination;
  readonly onChange: (value: Destination) => void;
}) {
  const t = useContactTexts();
  const choose = (chosen: string | null) => {
    if (chosen === NEW) onChange({ kind: NEW, name: '' });
    else onChange(chosen === null || chosen === NONE ? nowhere : { kind: 'list', id: chosen });
  };
  return (
    <Group gap="md" align="flex-start">
      <Select
        label={label}
        description={hint}
        inputWrapperOrder={['label', 'input', 'description']}
        data={[
          { value: NEW, label: t.newList },
          { value: NONE, label: t.noList },
          ...lists.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={value.kind === 'list' ? value.id : value.kind}
        onChange={choose}
        allowDeselect={false}
        searchable
        w={{ base: '100%', xs: 300 }}
      />
      {value.kind === NEW && (
        <TextInput
          label={t.newListName(label)}
          {...writtenText}
          maxLength={MAX_NAME}
          value={value.name}
          onChange={(event) => onChange({ kind: NEW, name: event.currentTarget.value })}
          w={{ base: '100%', xs: 300 }}
        />
      )}
    </Group>
  );
}
