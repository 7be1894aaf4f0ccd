/** What a mail says, as it is edited: '' where it has none. */
export interface MailWords {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** What the block editor made the HTML and the text of; null: they were written as such. */
  readonly blocks: Readonly<Record<string, unknown>> | null;
}

export const noWords: MailWords = { subject: '', html: '', text: '', blocks: null };

/** What is stored or sent of the words of a mail. */
export const storedWords = ({ subject, html, text, blocks }: MailWords) => ({
  subject,
  html: html.trim() === '' ? null : html,
  text: text.trim() === '' ? null : text,
  blocks: blocks as Record<string, never> | null,
});

/** The words of what was stored or sent. */
export const wordsOf = (stored: {
  readonly subject?: string | undefined;
  readonly html?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly blocks?: MailWords['blocks'] | undefined;
}): MailWords => ({
  subject: stored.subject ?? '',
  html: stored.html ?? '',
  text: stored.text ?? '',
  blocks: stored.blocks ?? null,
});
