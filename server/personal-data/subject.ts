import { createHmac } from 'node:crypto';

/** The person whose data is meant, by what names them in one account. */
export interface DataSubject {
  /** E.164 digits. */
  readonly phones: readonly string[];
  /** E-mail addresses in the form in which they are compared, and as they were written. */
  readonly addresses: readonly string[];
  /** Ids that the chat platform gives clients who hide their number. */
  readonly chatIds: readonly string[];
}

/** A kind of identifier. */
export type IdentifierKind = keyof DataSubject;

/** What every pseudonym begins with. Nothing else that stands in place of a number or an address does. */
export const PSEUDONYM = 'erased-';

/** Whether a number, address or id was replaced by an erasure. */
export const isPseudonym = (identifier: string): boolean => identifier.startsWith(PSEUDONYM);

/** Every identifier of a person. */
export const identifiersOf = ({ phones, addresses, chatIds }: DataSubject): string[] => [
  ...phones,
  ...addresses,
  ...chatIds,
];

/**
 * What stands for an identifier after an erasure. The same identifier has the same pseudonym while the key is there, so that
 * statistics can still tell people apart; afterwards nobody can tell whose it was.
 *
 * @param key random bytes of one erasure, which are thrown away with its end
 */
export function pseudonymOf(key: Buffer, identifier: string): string {
  return PSEUDONYM + createHmac('sha256', key).update(identifier).digest('hex').slice(0, 24);
}
