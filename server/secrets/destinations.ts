import { isDeepStrictEqual } from 'node:util';
import type { SealedSpec } from '../database/define-tables.ts';
import { badField } from '../kit/errors.ts';

/** A change of a row with a stored secret. */
interface SecretChange {
  /** The column of the secret, which says by what settings it is sent. */
  readonly column: SealedSpec & { readonly sentTo: readonly string[] };
  /** Effective settings of the row, including defaults. */
  readonly before: object;
  readonly after: object;
  /** Whether a secret is stored and the change keeps it. */
  readonly isKept: boolean;
  /** The request field with a new secret. */
  readonly field: string;
}

/**
 * Throws Refusal `bad-field` for a change that would send a stored secret to another destination. Otherwise, anyone
 * with the right to change the address could read the secret at their own server. A new address needs the secret again.
 */
export function keepSecret({ column, before, after, isKept, field }: SecretChange): void {
  const settingOf = (settings: object, name: string) => (settings as Readonly<Record<string, unknown>>)[name];
  const isMoved = column.sentTo.some(
    (name) => !isDeepStrictEqual(settingOf(before, name), settingOf(after, name)),
  );
  if (!isKept || !isMoved) return;
  throw badField(field, 'enter it again: the address that it is sent to changes', 'missing');
}
