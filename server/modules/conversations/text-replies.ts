import { badField, Refusal } from '../../kit/errors.ts';
import type { ReplyContent, ReplyState } from './reply-channel.ts';

/* Shared by channels whose replies are texts. */

/** Checks the text of a reply. Throws Refusal `bad-field` for an empty text, or one with more than `max` characters. */
export function readReplyText(text: string, max: number): string {
  if (text.trim() === '') throw badField('text', 'missing', 'missing');
  if (text.length > max) {
    throw badField('text', `over ${max} characters`, 'too-long', { max });
  }
  return text;
}

/**
 * As `readReplyText`, for a channel that accepts only texts. Throws Refusal `bad-field` with `problem` for other
 * contents.
 */
export function readTextReply(content: ReplyContent, max: number, problem: string): string {
  if (content.kind !== 'text') {
    throw badField(content.kind, problem, 'not-one-of');
  }
  return readReplyText(content.text, max);
}

/** Reply state of a channel for texts without a time window: texts can be sent if `check` does not refuse. */
export async function textReplyState(check: Promise<unknown>): Promise<ReplyState> {
  try {
    await check;
    return { kinds: ['text'], problem: null, closesAt: null };
  } catch (error) {
    if (error instanceof Refusal) return noSender;
    throw error;
  }
}

/** The account no longer has the sender, or is suspended. */
export const noSender: ReplyState = { kinds: [], problem: 'no-sender', closesAt: null };
