import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../errors.ts';
import { sealedColumns } from './columns.ts';

/** A change of a row that has a stored secret. */
interface SecretChange {
  /** The purpose of the secret's column (`columns.ts`). */
  readonly purpose: string;
  /** The settings of the row, effective ones with their defaults. */
  readonly before: object;
  readonly after: object;
  /** Whether a secret is stored and the change keeps it. */
  readonly isKept: boolean;
  /** The field of the request that has a new secret. */
  readonly field: string;
}

/**
 * Throws Refusal `bad-field` for a change that would send a stored secret to another destination: whoever may change the
 * address could otherwise read the secret at their own server. The new address needs the secret again.
 */
export function keepSecret({ purpose, before, after, isKept, field }: SecretChange): void {
  const column = sealedColumns.find((one) => one.purpose === purpose);
  if (!column || !Array.isArray(column.sentTo))
    throw new Error(`${purpose} has no destination in columns.ts`);
  const settingOf = (settings: object, name: string) => (settings as Readonly<Record<string, unknown>>)[name];
  const isMoved = column.sentTo.some(
    (name) => !isDeepStrictEqual(settingOf(before, name), settingOf(after, name)),
  );
  if (!isKept || !isMoved) return;
  throw new Refusal('bad-field', 'enter it again: the address that it is sent to changes', field, {
    reason: 'missing',
  });
}
