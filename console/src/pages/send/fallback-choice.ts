import type { RequestBody } from '../../api/operations.ts';

type Asked = NonNullable<RequestBody<'/v1/sms'>['fallback']>;
export type FallbackChannel = Asked['channel'];

/** Second message by another channel, as the composer has it; '' for values that are not chosen. */
export interface FallbackChoice {
  readonly channel: FallbackChannel;
  readonly minutes: number;
  /** Text of an SMS or a call; '' is the text of the send. */
  readonly text: string;
  /** Template with its business number, and the link of its header. */
  readonly templateId: string;
  readonly number: string;
  readonly headerLink: string;
}

const MINUTES = 30;

/** A second message by a channel, without values. */
export const fallbackBy = (channel: FallbackChannel, minutes = MINUTES): FallbackChoice => ({
  ...{ channel, minutes },
  ...{ text: '', templateId: '', number: '', headerLink: '' },
});

/** The part of a request that asks for a second message. `first` is the channel of the send; null: it uses two already. */
export function fallbackBody(
  choice: FallbackChoice | null,
  first: FallbackChannel | null,
): { readonly fallback?: Asked } {
  if (choice === null || first === null || choice.channel === first) return {};
  const { channel, minutes: after_minutes, text, templateId, number, headerLink } = choice;
  if (channel !== 'chat')
    return { fallback: { channel, after_minutes, ...(text.trim() !== '' && { text }) } };
  const header = headerLink !== '' && { header_link: headerLink };
  const template = templateId !== '' && { template_id: templateId, source: number };
  return { fallback: { channel, after_minutes, ...template, ...header } };
}
