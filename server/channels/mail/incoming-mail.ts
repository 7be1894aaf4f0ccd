import PostalMime, { type Email } from 'postal-mime';
import { harmless } from './harmless-text.ts';
import { withoutQuote } from './quoted-mail.ts';

/** The stored part of an email to one of our inbound addresses. */
export interface IncomingMail {
  /** Its Message-ID; empty for none. */
  readonly mailId: string;
  /** Its sender, as stated; both may be empty. */
  readonly fromAddress: string;
  readonly fromName: string;
  readonly subject: string;
  /** Its own text, without the quoted email. */
  readonly body: string;
  /** The whole email as text and as HTML; null if absent. */
  readonly text: string | null;
  readonly html: string | null;
  /** Names of attachments; empty for unnamed ones. */
  readonly attachments: readonly string[];
  /** Why it counts as automatic; null: a person wrote it. */
  readonly automatic: string | null;
}

const MAX_LINE = 500;
const MAX_BODY = 50_000;
const MAX_ATTACHMENTS = 100;
/** An email that passed more servers than this is in a loop (RFC 5321, 6.3, requires at least 100). */
const MAX_HOPS = 100;

/** Headers of automatic replies, older than RFC 3834 or outside it. */
const answerHeaders: readonly string[] = [
  'x-autoreply',
  'x-autorespond',
  'x-autoresponse',
  'x-autoresponder',
  'x-vacation',
];
const daemon = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/i;
/** Beginnings of subjects of absence notices. */
const away: readonly string[] = [
  'automatic reply',
  'auto reply',
  'auto-reply',
  'autoreply',
  'out of office',
  'out of the office',
  'abwesenheit',
  'automatische antwort',
  'réponse automatique',
  'respuesta automática',
  'автоответ',
  'תשובה אוטומטית',
  'מענה אוטומטי',
  'מחוץ למשרד',
];

/**
 * Parses an email; `raw` may be cut off at its end. Returns undefined if it is unreadable. A malicious email takes
 * seconds, so it runs in a worker thread.
 */
export async function readIncomingMail(raw: Buffer): Promise<IncomingMail | undefined> {
  const email = await PostalMime.parse(raw, { maxNestingDepth: 20 }).catch(() => undefined);
  if (!email) return undefined;
  const { address = '', name = '' } = email.from ?? {};
  const text = email.text === undefined ? null : harmless(email.text);
  return {
    mailId: line(email.messageId),
    fromAddress: line(address),
    fromName: line(name),
    subject: line(email.subject),
    body: withoutQuote(text ?? '')
      .slice(0, MAX_BODY)
      .toWellFormed(),
    text,
    html: email.html === undefined ? null : harmless(email.html),
    attachments: email.attachments.slice(0, MAX_ATTACHMENTS).map(({ filename }) => line(filename)),
    automatic: automaticOf(email, address ?? ''),
  };
}

/**
 * Returns why an email counts as automatic (RFC 3834, and habits of programs that do not follow it); null otherwise.
 */
function automaticOf(email: Email, from: string): string | null {
  const values = (name: string) => email.headers.flatMap(({ key, value }) => (key === name ? [value] : []));
  const value = (name: string) => values(name)[0]?.trim().toLowerCase() ?? '';
  const submitted = value('auto-submitted');
  if (submitted !== '' && !submitted.startsWith('no')) return 'auto-submitted';
  if (answerHeaders.some((name) => values(name).length > 0)) return 'auto-response';
  if (['bulk', 'junk', 'list', 'auto_reply'].includes(value('precedence'))) return 'precedence';
  if (values('list-id').length > 0 || values('list-unsubscribe').length > 0) return 'list';
  if (value('content-type').startsWith('multipart/report')) return 'report';
  if (value('return-path') === '<>' || daemon.test(from)) return 'no-sender';
  if (values('received').length > MAX_HOPS) return 'loop';
  const subject = (email.subject ?? '').trim().toLowerCase();
  return away.some((words) => subject.startsWith(words)) ? 'subject' : null;
}

const line = (text: string | null | undefined): string =>
  harmless(text ?? '')
    .slice(0, MAX_LINE)
    .toWellFormed()
    .replace(/[\r\n\t]/g, ' ')
    .trim();
