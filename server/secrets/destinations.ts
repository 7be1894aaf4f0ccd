import { isDeepStrictEqual } from 'node:util';
import type { SealedSpec } from '../database/define-tables.ts';
import { Refusal } from '../errors.ts';

/** A change of a row that has a stored secret. */
interface SecretChange {
  /** The column of the secret, which says by what settings it is sent. */
  readonly column: SealedSpec & { readonly sentTo: readonly string[] };
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
export function keepSecret({ column, before, after, isKept, field }: SecretChange): void {
  const settingOf = (settings: object, name: string) => (settings as Readonly<Record<string, unknown>>)[name];
  const isMoved = column.sentTo.some(
    (name) => !isDeepStrictEqual(settingOf(before, name), settingOf(after, name)),
  );
  if (!isKept || !isMoved) return;
  throw new Refusal('bad-field', 'enter it again: the address that it is sent to changes', field, {
    reason: 'missing',
  });
}
