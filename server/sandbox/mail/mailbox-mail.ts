import PostalMime, { type Address } from 'postal-mime';

/** What a mail says. */
export interface MailText {
  /** `Name <address>`, or the address. */
  readonly from: string;
  readonly subject: string;
  /** '' when it has none. */
  readonly text: string;
  readonly html: string;
  /** By their names in lower case; one that is there more than once has a line for each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
}

interface Attachment {
  /** '' when it has none. */
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  readonly bytes: number;
}

/** Reads a mail as it came. Takes seconds for a hostile one: for a worker thread. */
export async function readMailboxMail(raw: Uint8Array): Promise<MailText> {
  const mail = await PostalMime.parse(raw);
  const headers: Record<string, string> = {};
  for (const { key, value } of mail.headers) {
    headers[key] = key in headers ? `${headers[key]}\n${value}` : value;
  }
  return {
    from: nameOf(mail.from),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? '',
      type: mimeType,
      bytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
    })),
  };
}

function nameOf(from: Address | undefined): string {
  if (!from || from.address === undefined) return '';
  return from.name === '' ? from.address : `${from.name} <${from.address}>`;
}
