import PostalMime, { type Email } from 'postal-mime';
import { harmless } from './harmless-text.ts';
import { withoutQuote } from './quoted-mail.ts';

/** A mail that somebody sent to an inbound address of ours, as far as it is kept. */
export interface IncomingMail {
  /** Its Message-ID; empty for none. */
  readonly mailId: string;
  /** Who it says that it is from; both may be empty. */
  readonly fromAddress: string;
  readonly fromName: string;
  readonly subject: string;
  /** What was written, without the mail that it quotes. */
  readonly body: string;
  /** The whole as text and as HTML; null where it has none. */
  readonly text: string | null;
  readonly html: string | null;
  /** Names of attachments; empty for one without. */
  readonly attachments: readonly string[];
  /** Why it is taken for written by a program; null: a person wrote it. */
  readonly automatic: string | null;
}

const MAX_LINE = 500;
const MAX_BODY = 50_000;
const MAX_ATTACHMENTS = 100;
/** A mail that went over so many servers goes in a circle (RFC 5321, 6.3, asks for 100 at least). */
const MAX_HOPS = 100;

/** Headers of programs that answer, before and beside RFC 3834. */
const answerHeaders: readonly string[] = [
  'x-autoreply',
  'x-autorespond',
  'x-autoresponse',
  'x-autoresponder',
  'x-vacation',
];
const daemon = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/i;
/** Beginnings of subjects by which programs say that somebody is away. */
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
 * Reads a mail as it came; `raw` may be cut off at its end. Undefined when it cannot be read. Takes seconds for a hostile one:
 * for a worker thread.
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

/** Why a mail is taken for written by a program (RFC 3834, and what programs do that do not know it). */
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
