import { MultiSelect, type MultiSelectProps, Pill, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useOperatorTexts } from './texts.ts';

const ACCOUNTS = '/v1/operator/accounts';
/** Maximum number of suggested accounts; typing finds others by name. */
const OFFERED = 20;
/** The most accounts that the service lists in one answer. */
const MAX_LISTED = 500;

/** Suggests accounts by a part of their names. */
function useSuggestions() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useAnswer(ACCOUNTS, { query: { limit: OFFERED, search } });
  return { setTyped, accounts: found.data?.accounts ?? [] };
}

/** Selects an account by a part of its name; the value is its id. `first` adds choices that are not accounts. */
export function AccountSelect({
  first = [],
  ...props
}: Omit<SelectProps, 'data'> & {
  readonly first?: readonly { readonly value: string; readonly label: string }[];
}) {
  const { accounts: t } = useOperatorTexts();
  const { setTyped, accounts: found } = useSuggestions();
  const chosen = typeof props.value === 'string' && /^\d+$/.test(props.value) ? props.value : undefined;
  const current = useAnswer('/v1/operator/accounts/{id}', byId(chosen ?? ''), {
    enabled: chosen !== undefined,
  });
  const accounts = new Map(
    [...found, ...(chosen !== undefined && current.data ? [current.data] : [])].map(({ id, username }) => [
      id,
      username,
    ]),
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

/** Selects several accounts by parts of their names; the values are their ids. */
export function AccountsSelect(props: Omit<MultiSelectProps, 'data'>) {
  const { accounts: t } = useOperatorTexts();
  const { setTyped, accounts } = useSuggestions();
  return (
    <MultiSelect
      placeholder={props.value?.length ? undefined : t.findHint}
      searchable
      hidePickedOptions
      onSearchChange={setTyped}
      filter={({ options }) => options}
      data={accounts.map(({ id, username }) => ({ value: id, label: username }))}
      renderPill={({ value = '', onRemove }) => (
        <Pill withRemoveButton {...(onRemove && { onRemove })}>
          <AccountName id={value} />
        </Pill>
      )}
      {...props}
    />
  );
}

/** The user name of an account, or its id until that is loaded. */
export function AccountName({ id }: { readonly id: string }) {
  const account = useAnswer('/v1/operator/accounts/{id}', byId(id));
  return <bdi dir="ltr">{account.data?.username ?? id}</bdi>;
}

/** User names of accounts by id. One request brings them; the latest accounts of a large service are not among them. */
export function useAccountNames(): ReadonlyMap<string, string> {
  const listed = useAnswer(ACCOUNTS, { query: { limit: MAX_LISTED } });
  return new Map(listed.data?.accounts.map(({ id, username }) => [id, username]));
}
