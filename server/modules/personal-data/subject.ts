import { createHmac } from 'node:crypto';

/** A person, by the identifiers that one account knows. */
export interface DataSubject {
  /** E.164 digits. */
  readonly phones: readonly string[];
  /** Email addresses, in normalised form and as written. */
  readonly addresses: readonly string[];
  /** Ids that the chat platform assigns to clients who hide their number. */
  readonly chatIds: readonly string[];
}

/** A kind of identifier. */
export type IdentifierKind = keyof DataSubject;

/** Prefix of all pseudonyms. No other replacement of a number or an address begins with it. */
export const PSEUDONYM = 'erased-';

/** Whether an identifier is the pseudonym of an erased one. */
export const isPseudonym = (identifier: string): boolean => identifier.startsWith(PSEUDONYM);

/** Returns all identifiers of a person. */
export const identifiersOf = ({ phones, addresses, chatIds }: DataSubject): string[] => [
  ...phones,
  ...addresses,
  ...chatIds,
];

/**
 * Returns the replacement of an identifier after an erasure. While the key exists, the same identifier has the same
 * pseudonym, so that statistics can still distinguish people; afterwards nobody can find out whose it was.
 *
 * @param key random bytes of one erasure, deleted at its end
 */
export function pseudonymOf(key: Buffer, identifier: string): string {
  return PSEUDONYM + createHmac('sha256', key).update(identifier).digest('hex').slice(0, 24);
}
