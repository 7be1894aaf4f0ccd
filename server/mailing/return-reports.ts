import PostalMime, { type Email } from 'postal-mime';

/** What came back of a mail, as its report says. */
export type ReturnReport =
  | {
      readonly kind: 'bounce';
      readonly isHard: boolean;
      /** Enhanced status code (RFC 3463), or the three digits of SMTP. */
      readonly code: string;
      /** What the mail server said, in one line. */
      readonly diagnostic: string;
    }
  | {
      readonly kind: 'complaint';
      /** `Feedback-Type` (RFC 5965, 7.3). */
      readonly type: string;
      /** Texts in which the mail may be named: return paths and Message-IDs, the surest first. */
      readonly names: readonly string[];
    };

const DIAGNOSTIC_MOST = 200;
/** An answer of a vacation program, or any other mail, is no report. */
const complaintTypes = new Set(['abuse', 'fraud', 'virus', 'other', 'opt-out']);
// RFC 3463, 3.2 to 3.5: what is wrong with the address itself, and will be tomorrow. Not the sender's address (X.1.7,
// X.1.8), a mailbox that is full (X.2.2), and what somebody decided about the mail (X.7.*).
const hardDetails = /^5\.(?:0\.0|1\.(?:0|1|2|3|4|6|10)|2\.1|4\.4)$/;

/**
 * Whether a permanent refusal is about the address: by the enhanced status code where there is one, else by the three
 * digits (RFC 5321, 4.2.3).
 */
export function isHardBounce(code: string): boolean {
  return code.includes('.') ? hardDetails.test(code) : /^55[0134]$/.test(code);
}

/**
 * Reads what came to a return path: a delivery status notification (RFC 3464) that says that a mail failed, or a feedback
 * report (RFC 5965). Undefined for all else, delays among it. `raw` may be cut off at its end.
 */
export async function readReturn(raw: Buffer): Promise<ReturnReport | undefined> {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 20 }).catch(
    () => undefined,
  );
  if (!email) return undefined;
  const feedback = partOf(email, 'message/feedback-report');
  if (feedback !== undefined) return readFeedback(feedback, email);
  const status = partOf(email, 'message/delivery-status') ?? partOf(email, 'message/global-delivery-status');
  return status === undefined ? readWords(email) : readStatus(status);
}

function readStatus(text: string): ReturnReport | undefined {
  const recipients = fieldGroups(text).filter((group) => group.has('action'));
  const failed = recipients.find((group) => group.get('action')!.toLowerCase() === 'failed');
  if (!failed) return undefined;
  const diagnostic = (failed.get('diagnostic-code') ?? '').replace(/^smtp;\s*/i, '');
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(failed.get('status') ?? '')?.[1];
  return bounce(preciser(status, diagnostic), diagnostic);
}

/** `5.0.0` says nothing: then what the server said may. */
function preciser(status: string | undefined, diagnostic: string): string {
  const said = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(diagnostic)?.[1] ?? /^([45]\d\d)\b/.exec(diagnostic)?.[1];
  return status === undefined || /^[45]\.0\.0$/.test(status) ? (said ?? status ?? '5.0.0') : status;
}

/** A bounce from before RFC 3464: nobody's answer, and a code in its words. */
function readWords(email: Email): ReturnReport | undefined {
  const auto = email.headers.find(({ key }) => key === 'auto-submitted')?.value ?? '';
  const from = (email.from && 'address' in email.from ? email.from.address : '') ?? '';
  if (/^auto-(?:replied|notified)/i.test(auto) || !/^(?:mailer-daemon|postmaster)@/i.test(from))
    return undefined;
  const text = email.text ?? '';
  const code = /(?:^|[\s#(])([45]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1];
  if (code === undefined) return undefined;
  return bounce(code, text.split('\n').find((line) => line.includes(code)) ?? '');
}

function bounce(code: string, diagnostic: string): ReturnReport {
  return { kind: 'bounce', isHard: isHardBounce(code), code, diagnostic: oneLine(diagnostic) };
}

function readFeedback(text: string, email: Email): ReturnReport | undefined {
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
const oneLine = (text: string) => text.replace(controls, ' ').trim().slice(0, DIAGNOSTIC_MOST);
