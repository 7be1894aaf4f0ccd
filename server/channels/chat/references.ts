/*
 * What a message carries to the platform and its statuses bring back: whose message it is. So a status finds its message
 * by the primary key, also when the answer to the send was lost.
 */

export interface Reference {
  readonly accountId: number;
  readonly messageId: number;
}

/** `<account>.<message>` */
export function encodeReference(accountId: number, messageId: number): string {
  return `${accountId}.${messageId}`;
}

/** What `encodeReference` made; undefined for anything else, since other programs may use the same business number. */
export function decodeReference(text: string): Reference | undefined {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(text);
  if (!match) return undefined;
  const [accountId, messageId] = [Number(match[1]), Number(match[2])];
  return Number.isSafeInteger(accountId) && Number.isSafeInteger(messageId)
    ? { accountId, messageId }
    : undefined;
}
