import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useOperatorTexts } from './texts.ts';

/** How many accounts are offered; who looks for another types some of its name. */
const OFFERED = 20;

/** Chooses an account by some of its name; the value is its id. `first` are choices beside the accounts. */
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
      // What is found was searched for in the name too, which the label does not show.
      filter={({ options }) => options}
      data={[...first, ...Array.from(accounts, ([value, label]) => ({ value, label }))]}
      {...props}
    />
  );
}
