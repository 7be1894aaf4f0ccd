import { Refusal } from '../kit/errors.ts';

/** Names of the domain's request fields in an API, by path. Other fields have the same name in both. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * Returns the API's name of a field by its path in the domain's request: the name of `phones` also applies to
 * `phones[2].id`.
 */
export function fieldName(names: FieldNames, path: string): string {
  const whole = names[path];
  if (whole !== undefined) return whole;
  const end = path.search(/[.[]/);
  const first = end < 0 ? undefined : names[path.slice(0, end)];
  return first === undefined ? path : first + path.slice(end);
}

/** Runs code that reads a request of the domain. A Refusal that it throws gets the API's name of the field. */
export async function inFieldNames<T>(names: FieldNames, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.path === undefined) throw error;
    throw error.at(fieldName(names, error.path));
  }
}
