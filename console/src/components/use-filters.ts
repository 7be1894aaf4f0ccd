import { useSearchParams } from 'wouter';

/** Filters of a list, each a text, '' when it is not set. */
export interface Filters<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly any: boolean;
  set(name: Name, value: string): void;
  setAll(values: Readonly<Partial<Record<Name, string>>>): void;
  clear(): void;
}

/** Whether a value from the address of a page is one of the permitted values. */
export const isOneOf = <T extends string>(all: readonly T[], value: string): value is T =>
  (all as readonly string[]).includes(value);

/** Filters kept in the address of the page, so that a colleague who opens the link sees the same rows. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const change = (changes: Readonly<Partial<Record<string, string>>>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value = ''] of Object.entries(changes)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  return {
    values,
    any: names.some((name) => values[name] !== ''),
    set: (name, value) => change({ [name]: value }),
    setAll: change,
    clear: () => change(Object.fromEntries(names.map((name) => [name, '']))),
  };
}
