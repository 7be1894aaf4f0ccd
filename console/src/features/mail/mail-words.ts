/** Content of an email in the editor; '' for a missing part. */
export interface MailWords {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Blocks that generated the HTML and the text; null when both were written by hand. */
  readonly blocks: Readonly<Record<string, unknown>> | null;
}

export const noWords: MailWords = { subject: '', html: '', text: '', blocks: null };

/** Content of an email in the form that the API stores and sends. */
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
