/*
 * Reference to our message, which is submitted with it and returned in its statuses. So a status finds its message by
 * primary key, even if the response to the submission was lost.
 */

export interface Reference {
  readonly accountId: number;
  readonly messageId: number;
}

/** `<account>.<message>` */
export function encodeReference(accountId: number, messageId: number): string {
  return `${accountId}.${messageId}`;
}

/**
 * Parses a result of `encodeReference`; undefined for other texts, because other programs may use the same business
 * number.
 */
export function decodeReference(text: string): Reference | undefined {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(text);
  if (!match) return undefined;
  const [accountId, messageId] = [Number(match[1]), Number(match[2])];
  return Number.isSafeInteger(accountId) && Number.isSafeInteger(messageId)
    ? { accountId, messageId }
    : undefined;
}
