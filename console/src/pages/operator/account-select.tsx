import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useOperatorTexts } from './texts.ts';

/** Maximum number of suggested accounts; typing finds others by name. */
const OFFERED = 20;

/** Selects an account by a part of its name; the value is its id. `first` adds choices that are not accounts. */
export function AccountSelect({
  first = [],
  ...props
}: Omit<SelectProps, 'data'> & {
  readonly first?: readonly { readonly value: string; readonly label: string }[];
}) {
  const { accounts: t } = useOperatorTexts();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const chosen = typeof props.value === 'string' && /^\d+$/.test(props.value) ? props.value : undefined;
  const found = useAnswer('/v1/operator/accounts', {
    query: { limit: OFFERED, search },
  });
  const current = useAnswer('/v1/operator/accounts/{id}', byId(chosen ?? ''), {
    enabled: chosen !== undefined,
  });
  const accounts = new Map(
    [...(found.data?.accounts ?? []), ...(chosen !== undefined && current.data ? [current.data] : [])].map(
      ({ id, username }) => [id, username],
    ),
  );
  return (
    <Select
      label={t.find}
      placeholder={t.findHint}
      searchable
      onSearchChange={setTyped}
      // The service also searches names, which the labels do not contain.
      filter={({ options }) => options}
      data={[...first, ...Array.from(accounts, ([value, label]) => ({ value, label }))]}
      {...props}
    />
  );
}
