import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';

/** Selects lists of recipients. `countOf` returns the number of recipients; `none` is shown without any list. */
export function ChooseLists<List extends { readonly id: string; readonly name: string }>({
  query,
  countOf,
  texts: t,
  none,
  value,
  onChange,
  error,
}: {
  readonly query: Parameters<typeof Fetched<readonly List[]>>[0]['query'];
  readonly countOf: (list: List) => number;
  readonly texts: {
    readonly lists: string;
    readonly listsHint: string;
    readonly listCount: (name: string, count: string) => string;
  };
  readonly none: ReactNode;
  readonly value: readonly string[];
  readonly onChange: (lists: string[]) => void;
  readonly error: string | undefined;
}) {
  const language = useLanguage();
  return (
    <Fetched query={query} lines={2}>
      {(lists) =>
        lists.length === 0 ? (
          <Muted>{none}</Muted>
        ) : (
          <MultiSelect
            label={t.lists}
            placeholder={value.length === 0 ? t.listsHint : ''}
            data={lists.map((list) => ({
              value: list.id,
              label: t.listCount(list.name, countOf(list).toLocaleString(language)),
            }))}
            value={[...value]}
            onChange={onChange}
            error={error}
            searchable
            clearable
            hidePickedOptions
            limit={100}
          />
        )
      }
    </Fetched>
  );
}
