import { Refusal } from '../errors.ts';
import type { ReplyContent, ReplyState } from './reply-channel.ts';

/* What channels have in common whose replies are texts. */

/** The text of a reply. Throws Refusal `bad-field` for one that says nothing, or has more characters than the channel takes. */
export function readReplyText(text: string, max: number): string {
  if (text.trim() === '') throw new Refusal('bad-field', 'missing', 'text', { reason: 'missing' });
  if (text.length > max) {
    throw new Refusal('bad-field', `over ${max} characters`, 'text', { reason: 'too-long', params: { max } });
  }
  return text;
}

/** As `readReplyText`, of a channel that takes nothing else: throws Refusal `bad-field` with `problem` for other contents. */
export function readTextReply(content: ReplyContent, max: number, problem: string): string {
  if (content.kind !== 'text') {
    throw new Refusal('bad-field', problem, content.kind, { reason: 'not-one-of' });
  }
  return readReplyText(content.text, max);
}

/** How a client can be answered over a channel of texts, for which there is no window: when `check` does not refuse. */
export async function textReplyState(check: Promise<unknown>): Promise<ReplyState> {
  try {
    await check;
    return { kinds: ['text'], problem: null, closesAt: null };
  } catch (error) {
    if (error instanceof Refusal) return noSender;
    throw error;
  }
}

/** A sender that the account does not have any more, or an account that is suspended. */
export const noSender: ReplyState = { kinds: [], problem: 'no-sender', closesAt: null };
