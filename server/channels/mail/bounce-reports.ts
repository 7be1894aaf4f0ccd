import PostalMime, { type Email } from 'postal-mime';
import { type BounceCause, type BounceWords, judgeBounce, saysWhy } from './bounce-causes.ts';

/** A bounce or complaint, from its report. */
export type BounceReport =
  | {
      readonly kind: 'bounce';
      readonly cause: BounceCause;
      /** Enhanced status code (RFC 3463), or the three digits of SMTP. */
      readonly code: string;
      /** Response of the mail server, in one line. */
      readonly diagnostic: string;
    }
  | {
      readonly kind: 'complaint';
      /** `Feedback-Type` (RFC 5965, 7.3). */
      readonly type: string;
      /** Texts that may identify the email: return paths and Message-IDs, the most reliable first. */
      readonly names: readonly string[];
    };

const MAX_DIAGNOSTIC = 200;
/** The text for people is at the beginning of a report. */
const MAX_NOTICE = 8_000;
const complaintTypes = new Set(['abuse', 'fraud', 'virus', 'other', 'opt-out']);

/**
 * Reads an email to a return path: a delivery status notification (RFC 3464) of a failure, a textual report of a mail
 * server that does not send those, or a feedback report (RFC 5965). Returns undefined for all others: delays, and
 * automatic or personal replies. `raw` may be cut off at its end.
 */
export async function readBounce(raw: Buffer): Promise<BounceReport | undefined> {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 20 }).catch(
    () => undefined,
  );
  if (!email) return undefined;
  const feedback = partOf(email, 'message/feedback-report');
  if (feedback !== undefined) return readFeedback(feedback, email);
  const status = partOf(email, 'message/delivery-status') ?? partOf(email, 'message/global-delivery-status');
  return status === undefined ? readWords(email) : readStatus(status, noticeOf(email));
}

function readStatus(text: string, notice: string): BounceReport | undefined {
  const recipients = fieldGroups(text).filter((group) => group.has('action'));
  const failed = recipients.find((group) => group.get('action')!.toLowerCase() === 'failed');
  if (!failed) return undefined;
  const diagnostic = (failed.get('diagnostic-code') ?? '').replace(/^[\w-]{1,40};\s*/, '');
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(failed.get('status') ?? '')?.[1];
  return bounce({ status, diagnostic, notice });
}

const daemon = /^(?:mailer-daemon|postmaster)@/i;
const failure =
  /undeliver|non-?delivery|not delivered|returned mail|returned to sender|returning message|be delivered|delivery (?:has )?(?:failure|failed|error|problem|report|status notification)|failure (?:notice|notification)|unzustellbar/i;
const delay = /delay|warning|will (?:be )?(?:retr|keep)/i;
const answering = /^(?:auto|out of|away|vacation|abwesen|re:)/i;
/** Headers of automatic replies, older than RFC 3834 or outside it. */
const answerHeaders = new Set([
  'x-autoreply',
  'x-autorespond',
  'x-autoresponse',
  'x-autoresponder',
  'x-vacation',
]);

/**
 * Reads a textual bounce: it must come from a mail server and not from a person, report a failure, and contain a code
 * or a known phrase.
 */
function readWords(email: Email): BounceReport | undefined {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? '';
  const subject = email.subject ?? '';
  if (!failure.test(subject) || delay.test(subject) || answering.test(subject)) return undefined;
  const isAnswer =
    /^auto-(?:replied|notified)/i.test(header('auto-submitted')) ||
    /^auto/i.test(header('precedence')) ||
    email.headers.some(({ key }) => answerHeaders.has(key));
  const from = (email.from && 'address' in email.from ? email.from.address : '') ?? '';
  // Exim and its derivatives name the failed recipients, and mark their reports as automatic replies.
  if (header('x-failed-recipients') === '' && (isAnswer || !daemon.test(from))) return undefined;
  const notice = noticeOf(email);
  const hasCode = /(?:^|[\s#(:])(?:[45]\.\d{1,3}\.\d{1,3}\b|[45][0-5]\d[ -])/.test(notice);
  return hasCode || saysWhy(notice) ? bounce({ status: undefined, diagnostic: '', notice }) : undefined;
}

/** Phrases in the line that precedes the copied email in a report. */
const copies = [
  ...['copy of the', 'copy of your', 'original message', 'returned message', 'below this line', 'header of'],
  ...['message header', 'unsent message'],
];

function beginsCopy(line: string): boolean {
  const text = line.trim().toLowerCase();
  if (text.startsWith('below is a copy')) return true;
  return text.startsWith('--') && copies.some((words) => text.includes(words));
}

/** Returns the text of a report for people, without the copied email. */
function noticeOf(email: Email): string {
  const lines = (email.text ?? '').slice(0, MAX_NOTICE).split('\n');
  const end = lines.findIndex(beginsCopy);
  return (end === -1 ? lines : lines.slice(0, end)).join('\n').trim();
}

function bounce(words: BounceWords): BounceReport {
  const { cause, code } = judgeBounce(words);
  const lines = words.notice.split('\n');
  const said =
    words.diagnostic ||
    (lines.find((line) => code !== '5.0.0' && line.includes(code)) ?? lines.find(saysWhy) ?? '');
  return { kind: 'bounce', cause, code, diagnostic: oneLine(said) };
}

function readFeedback(text: string, email: Email): BounceReport | undefined {
  const [report] = fieldGroups(text);
  const type = report?.get('feedback-type')?.toLowerCase() ?? '';
  if (!complaintTypes.has(type)) return undefined;
  const original = partOf(email, 'message/rfc822') ?? partOf(email, 'text/rfc822-headers') ?? '';
  const [headers] = fieldGroups(original.split(/\r?\n\r?\n/, 1)[0]!);
  const names = [
    report?.get('original-mail-from'),
    headers?.get('return-path'),
    headers?.get('message-id'),
  ].filter((name) => name !== undefined);
  return { kind: 'complaint', type, names };
}

function partOf(email: Email, type: string): string | undefined {
  const part = email.attachments.find(({ mimeType }) => mimeType === type);
  if (!part) return undefined;
  return typeof part.content === 'string' ? part.content : Buffer.from(part.content as Uint8Array).toString();
}

/** Groups of header fields, with empty lines between; names in lower case, the first of each counts. */
function fieldGroups(text: string): Map<string, string>[] {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map((group) => {
      const fields = new Map<string, string>();
      for (const line of group.split('\n')) {
        const colon = line.indexOf(':');
        const name = line.slice(0, Math.max(0, colon)).trimEnd().toLowerCase();
        if (/^[\w-]+$/.test(name) && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
      }
      return fields;
    })
    .filter((fields) => fields.size > 0);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
const oneLine = (text: string) => text.replace(controls, ' ').trim().slice(0, MAX_DIAGNOSTIC);
