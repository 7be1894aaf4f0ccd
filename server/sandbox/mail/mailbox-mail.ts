import PostalMime, { type Address } from 'postal-mime';

/** Readable content of an email. */
export interface MailText {
  /** `Name <address>`, or the address. */
  readonly from: string;
  readonly subject: string;
  /** '' without a text part. */
  readonly text: string;
  readonly html: string;
  /** Keyed by names in lower case; repeated headers have one line each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
}

interface Attachment {
  /** '' without a name. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly bytes: number;
}

/** Parses an email. A malicious one can take seconds, so call it in a worker thread. */
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
