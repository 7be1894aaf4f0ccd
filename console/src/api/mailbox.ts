import { useQuery } from '@tanstack/react-query';
import { askJson, askText } from './client.ts';

/* Mailboxes of the sandbox (docs/sandbox.md), which the description of /v1 does not have. */

/** Email as the recipient's program received it; `text` and `html` are '' when the email lacks that part. */
export interface ReceivedMail {
  readonly id: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly bytes: number }[];
  readonly at: string;
  readonly bytes: number;
}

const REFETCH_MS = 2_000;

/** Emails that arrived at a sandbox address, newest first, refreshed as they arrive. */
export function useMailbox(address: string) {
  return useQuery({
    queryKey: ['sandbox-mailbox', address],
    queryFn: async () => {
      const path = `/v1/sandbox/mailboxes/${encodeURIComponent(address)}`;
      const { mails } = await askJson<{ readonly mails: readonly ReceivedMail[] }>('GET', path);
      return mails.toReversed();
    },
    refetchInterval: REFETCH_MS,
  });
}

/** Path of a received email in its original form. */
export const mailFile = (address: string, id: string) =>
  `/v1/sandbox/mailboxes/${encodeURIComponent(address)}/${encodeURIComponent(id)}.eml`;

/** A received email in its original form, as text. */
export function useMailSource(address: string, id: string) {
  return useQuery({
    queryKey: ['sandbox-mail-source', address, id],
    queryFn: () => askText(mailFile(address, id)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Replies to an email as its recipient. Throws when the reply is not accepted. */
export async function answerMail(address: string, id: string, text: string): Promise<void> {
  const path = `/v1/sandbox/mailboxes/${encodeURIComponent(address)}/${encodeURIComponent(id)}/answers`;
  await askJson('POST', path, { text });
}

/** Unsubscribe URL of an email (RFC 2369, RFC 8058); undefined when the email has no List-Unsubscribe header. */
export function removalOf({ headers }: ReceivedMail): string | undefined {
  return /<(https?:[^>]+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1];
}

/** Whether the email supports one-click unsubscribe (RFC 8058). */
export const isOneClick = ({ headers }: ReceivedMail): boolean =>
  /one-click/i.test(headers['list-unsubscribe-post'] ?? '');

/** Sends the one-click unsubscribe request of a mail program (RFC 8058, 3.1). Throws when the service refuses it. */
export async function unsubscribe(address: string): Promise<void> {
  // The service that serves the console also sent the sandbox's emails, whatever host name their links contain.
  const { pathname, search } = new URL(address);
  const answer = await fetch(`${pathname}${search}`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  if (!answer.ok) throw new Error(`removal was answered ${answer.status}`);
}
