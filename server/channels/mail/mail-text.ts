/** What is a mail's own, kept in `messages.payload`. */
export interface MailText {
  /** The campaign. */
  readonly campaignId: number;
  /** Null: a mail to somebody who is in no list, or for whom it does not matter. */
  readonly userId: number | null;
  /** The list by which they get it. */
  readonly listId: number | null;
  /** Whether opens and clicks are counted. */
  readonly track: boolean;
  /** The fields that the content has, by their names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
}

type Stored = [
  campaignId: number,
  userId: number | null,
  listId: number | null,
  track: 0 | 1,
  fields: object,
];

export function encodeMailText({ campaignId, userId, listId, track, fields }: MailText): string {
  const stored: Stored = [campaignId, userId, listId, track ? 1 : 0, fields];
  return JSON.stringify(stored);
}

export function decodeMailText(text: string): MailText {
  const [campaignId, userId, listId, track, fields] = JSON.parse(text) as Stored;
  return { campaignId, userId, listId, track: track === 1, fields: fields as MailText['fields'] };
}

/** A field by its name in lower case: one that was given, and nothing that every object has. */
export function valueIn(fields: MailText['fields'], name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
