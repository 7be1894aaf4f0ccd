/*
 * Why a mail came back, by its codes where they say something, and by the words of mail servers where they do not: Exim
 * reports 5.0.0 for everything, Microsoft 365 says 5.4.1 of unknown recipients, Yandex 5.7.1. The fixtures in
 * test/mailing/bounces have what each mail server sends.
 */

/**
 * `address`: nobody gets mail at it, today or tomorrow. `full`: the mailbox has no room. `blocked`: the mail or its sender
 * is refused by a rule, which says nothing about the address. `other`: all else, as time that ran out.
 */
export type BounceCause = 'address' | 'full' | 'blocked' | 'other';

/** What a report says of a bounce. */
export interface BounceWords {
  /** Enhanced status code of the report's field; undefined when it has none. */
  readonly status: string | undefined;
  /** What the mail server answered, in one line; '' when the report does not say. */
  readonly diagnostic: string;
  /** What the report says to people, without the mail that it is about. */
  readonly notice: string;
}

interface JudgedBounce {
  readonly cause: BounceCause;
  /** Enhanced status code (RFC 3463), or the three digits of SMTP. */
  readonly code: string;
}

// RFC 3463, 3.2 to 3.5: what is wrong with the address itself. Not the sender's (X.1.7, X.1.8), a mailbox that is full
// (X.2.2), and what somebody decided about the mail (X.7.*).
const addressCodes = /^5\.(?:1\.(?:0|1|2|3|4|6|10)|2\.1|4\.4)$/;
/** Codes that mail servers give for whatever they have no other one for. */
const vagueCodes = /^5\.(?:[012345]\.0|4\.1|6\.\d{1,3}|7\.[01])$/;

// What mail servers say, in lower case.
const fullPhrases = [
  ...[
    'over quota',
    'overquota',
    'over its quota',
    'over his quota',
    'over the allowed quota',
    'quotaexceeded',
  ],
  ...['quota exceeded', 'quota has been exceeded', 'exceeded quota', 'exceeds quota', 'exceeding quota'],
  ...[
    'exceeded the quota',
    'exceeded his quota',
    'exceeded its quota',
    'exceeded mailbox quota',
    'quota violation',
  ],
  ...['mailbox full', 'mailbox is full', 'mail box full', 'inbox full', 'inbox is full', 'full mailbox'],
  ...[
    'out of storage',
    'insufficient storage',
    'insufficient system storage',
    'storage limit',
    'storage quota',
  ],
  ...['exceeded storage', 'not enough storage', 'not enough space', 'mailbox size limit', 'file too large'],
];
/** Of the sender, in whose answer words about an address may stand. */
const senderPhrases = [
  ...[
    'sender address rejected',
    'sender rejected',
    'sender denied',
    'sender verify failed',
    'invalid sender',
  ],
  ...['sender verification failed', 'envelope sender', 'return path', 'unable to relay', 'relay denied'],
  ...['relaying denied', 'relay access denied', 'relay not permitted', 'relaying is not allowed'],
];
const addressPhrases = [
  ...[
    'user unknown',
    'unknown user',
    'unknown recipient',
    'unknown local',
    'unknown mailbox',
    'unknown address',
  ],
  ...['recipient unknown', 'address unknown', 'mailbox unknown', 'account unknown', 'addressee unknown'],
  ...[
    'no such user',
    'no such recipient',
    'no such mailbox',
    'no such address',
    'no such person',
    'no such domain',
  ],
  ...['no mailbox here by that name', 'no account by that name', 'invalid recipient', 'invalid mailbox'],
  ...['invalid user', 'invalid address', 'not a valid mailbox', 'not a valid user', 'not a valid recipient'],
  ...[
    'unrouteable address',
    'unrouteable mail domain',
    'unroutable address',
    'user not found',
    'host not found',
  ],
  ...[
    'mailbox not found',
    'recipient not found',
    'address not found',
    'domain not found',
    'account not found',
  ],
  ...[
    'recipnotfound',
    'recipientnotfound',
    'does not exist',
    "doesn't exist",
    "wasn't found",
    "couldn't be found",
  ],
  ...['could not be found', 'user is not known', 'not listed in', 'not our customer', 'no valid recipient'],
  ...[
    'mailbox disabled',
    'mailbox is disabled',
    'mailbox inactive',
    'mailbox is inactive',
    'user is blocked',
  ],
  ...[
    'account disabled',
    'account is disabled',
    'account has been disabled',
    'account closed',
    'account is closed',
  ],
  ...['account inactive', 'account is inactive', 'account suspended', 'account has been suspended'],
  ...['name service error', "couldn't find any host named", 'host unknown'],
];
/** Yahoo: "This user doesn't have a yahoo.com account". */
const noAccount = /user (?:doesn't|does not) have an? \S{1,100} account/;
/** Said of an address, and after the mail itself of anything. */
const unavailable = 'mailbox unavailable';
const blockedPhrases = [
  ...[
    'spam',
    'blocked',
    'blacklist',
    'black list',
    'blocklist',
    'block list',
    'dnsbl',
    'reputation',
    'policy',
  ],
  ...[
    'policies',
    'dmarc',
    'dkim',
    'virus',
    'malware',
    'suspicious',
    'unsolicited',
    'junk',
    'phish',
    'denied',
  ],
  ...['content rejected', 'content filter', 'rejected by', 'rejected due', 'rejected for', 'rejected under'],
  ...['not accepted', 'not allowed', 'not authorized', 'not permitted', 'unauthenticated', 'prohibition'],
  ...['rate limit', 'too many'],
];
/** What the mail server refused was the sender or the mail, so that its answer is not about the address. */
const refusedLater = /(?:after|in reply to|reply to|response to) (?:the )?(?:end of data|mail from|data)/;
/** Gmail says 5.2.1 of a mailbox that is closed, and of one that gets too much at a time. */
const atARate = 'at a rate that';

const MAX_WORDS = 2_000;

/** The cause of a bounce, and the code that says most about it. */
export function judgeBounce({ status, diagnostic, notice }: BounceWords): JudgedBounce {
  const code = codeOf(status, diagnostic, notice);
  const said = plainWords(diagnostic === '' ? notice : diagnostic);
  const isLater = refusedLater.test(plainWords(notice)) || refusedLater.test(said);
  return { code, cause: causeOf(code, said, isLater) };
}

/** Whether these words say why a mail came back. */
export const saysWhy = (words: string): boolean => {
  const said = plainWords(words);
  const known = [fullPhrases, senderPhrases, addressPhrases, blockedPhrases, [unavailable]];
  return known.some((phrases) => hasOne(said, phrases));
};

/**
 * Whether a permanent refusal is about the address, by its code alone: by the enhanced status code where there is one, else
 * by the three digits (RFC 5321, 4.2.3).
 */
export function isHardBounce(code: string): boolean {
  return code.includes('.') ? addressCodes.test(code) : /^55[0134]$/.test(code);
}

function causeOf(code: string, said: string, isLater: boolean): BounceCause {
  if (hasOne(said, fullPhrases) || /^[45]\.2\.2$/.test(code)) return 'full';
  if (code.startsWith('4')) return /^4\.7\./.test(code) ? 'blocked' : 'other';
  if (code === '5.2.1' && said.includes(atARate)) return 'other';
  if (code.includes('.') && !vagueCodes.test(code)) return byCode(code);
  if (hasOne(said, senderPhrases)) return 'blocked';
  // Microsoft 365 of who is not in its directory. The same words with 5.7.1 are a rule of somebody's.
  if (code === '5.4.1')
    return said.includes('recipient address rejected: access denied') ? 'address' : 'other';
  if (hasOne(said, addressPhrases) || noAccount.test(said)) return 'address';
  if (!isLater && said.includes(unavailable)) return 'address';
  if (hasOne(said, blockedPhrases)) return 'blocked';
  if (code.includes('.')) return byCode(code);
  if (isLater) return 'other';
  if (code === '552') return /size|large|big/.test(said) ? 'other' : 'full';
  return /^55[013]$/.test(code) ? 'address' : 'other';
}

function byCode(code: string): BounceCause {
  if (addressCodes.test(code)) return 'address';
  return /^5\.7\./.test(code) ? 'blocked' : 'other';
}

/** The most precise code there is: X.0.0 says nothing where another one was said. */
function codeOf(status: string | undefined, diagnostic: string, notice: string): string {
  if (status !== undefined && !/^[45]\.0\.0$/.test(status)) return status;
  for (const words of [diagnostic, notice]) {
    const enhanced = /(?:^|[\s#(<])([45]\.\d{1,3}\.\d{1,3})\b/.exec(words)?.[1];
    if (enhanced !== undefined && !/^[45]\.0\.0$/.test(enhanced)) return enhanced;
    const reply = /(?:^|[\s:(])([45][0-5]\d)[ -]/.exec(words)?.[1];
    if (reply !== undefined) return reply;
  }
  return status ?? '5.0.0';
}

const plainWords = (words: string): string =>
  words.slice(0, MAX_WORDS).toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');

const hasOne = (said: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => said.includes(phrase));
