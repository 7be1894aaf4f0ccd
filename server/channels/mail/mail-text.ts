/** Data of one email, stored in `messages.payload`. */
export interface MailText {
  /** The campaign. */
  readonly campaignId: number;
  /** Null: the recipient is in no list, or it does not matter. */
  readonly userId: number | null;
  /** The list of the recipient. */
  readonly listId: number | null;
  /** Whether opens and clicks are counted. */
  readonly track: boolean;
  /** Values of the fields in the content, by lower-case name. */
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

/** Returns the value of a field by its lower-case name, without inherited properties. */
export function valueIn(fields: MailText['fields'], name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
