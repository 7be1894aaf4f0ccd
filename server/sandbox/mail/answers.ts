import type { MailboxMail } from './mailboxes.ts';

/** Returns an answer to an email, by a person or automatically, in nodemailer's form. */
export function answerTo(
  { headers, from, subject, text, at }: MailboxMail,
  address: string,
  body: string,
  isAutomatic: boolean,
) {
  const to = addressIn(headers['reply-to'] ?? '') || addressIn(headers.from ?? from);
  const quoted = text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`);
  const written = isAutomatic ? [body] : [body, '', `On ${at}, ${from} wrote:`, ...quoted];
  const messageId = headers['message-id'] ?? '';
  return {
    envelope: { from: isAutomatic ? '' : address, to },
    from: address,
    to,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    text: written.join('\n'),
    ...(messageId !== '' && { inReplyTo: messageId, references: messageId }),
    ...(isAutomatic && { headers: { 'Auto-Submitted': 'auto-replied' } }),
  };
}

const addressIn = (field: string): string => /<([^<>\s]{1,320})>/.exec(field)?.[1] ?? field.trim();
