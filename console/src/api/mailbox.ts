import { useQuery } from '@tanstack/react-query';
import { askJson, askText } from './client.ts';

/* Mailboxes of the sandbox (docs/sandbox.md), which the description of /v1 does not have. */

/** A mail as its reader has it; `text` and `html` are '' when it has none. */
export interface ReceivedMail {
  readonly id: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly bytes: number }[];
  readonly at: string;
  readonly bytes: number;
}

const REFETCH_MS = 2_000;

/** What arrived at an address of the sandbox, the newest first, as it arrives. */
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

/** The path of a received mail as it arrived. */
export const mailFile = (address: string, id: string) =>
  `/v1/sandbox/mailboxes/${encodeURIComponent(address)}/${encodeURIComponent(id)}.eml`;

/** A received mail as it arrived, as text. */
export function useMailSource(address: string, id: string) {
  return useQuery({
    queryKey: ['sandbox-mail-source', address, id],
    queryFn: () => askText(new URL(mailFile(address, id), location.origin).href),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Answers a mail as its reader. Throws when nobody takes the answer. */
export async function answerMail(address: string, id: string, text: string): Promise<void> {
  const path = `/v1/sandbox/mailboxes/${encodeURIComponent(address)}/${encodeURIComponent(id)}/answers`;
  await askJson('POST', path, { text });
}

/** Where the removal from a mail's list is asked for (RFC 2369, 8058); undefined: the mail does not say. */
export function removalOf({ headers }: ReceivedMail): string | undefined {
  return /<(https?:[^>]+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1];
}

/** Whether one press of a mail program is enough (RFC 8058). */
export const isOneClick = ({ headers }: ReceivedMail): boolean =>
  /one-click/i.test(headers['list-unsubscribe-post'] ?? '');

/** What a mail program does when its reader presses "Unsubscribe" (RFC 8058, 3.1). Throws when it is refused. */
export async function unsubscribe(address: string): Promise<void> {
  // The sandbox's mails come from the service that the console is part of, by whatever name it is reached.
  const { pathname, search } = new URL(address);
  const answer = await fetch(`${pathname}${search}`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  if (!answer.ok) throw new Error(`removal was answered ${answer.status}`);
}
