/*
 * Cause of a bounce, by its codes if they are specific, otherwise by the texts of mail servers: Exim reports 5.0.0 for
 * everything, Microsoft 365 says 5.4.1 for unknown recipients, Yandex 5.7.1. The fixtures in test/channels/mail/bounces
 * contain reports of each mail server.
 */

/**
 * `address`: the address will never receive email. `full`: the mailbox has no room. `blocked`: a rule refuses the email
 * or its sender, which says nothing about the address. `other`: everything else, such as a timeout.
 */
export type BounceCause = 'address' | 'full' | 'blocked' | 'other';

/** The parts of a bounce report that show its cause. */
export interface BounceWords {
  /** Enhanced status code of the report's field; undefined without one. */
  readonly status: string | undefined;
  /** Response of the mail server, in one line; '' if the report does not contain it. */
  readonly diagnostic: string;
  /** The text of the report for people, without the copied email. */
  readonly notice: string;
}

interface JudgedBounce {
  readonly cause: BounceCause;
  /** Enhanced status code (RFC 3463), or the three digits of SMTP. */
  readonly code: string;
}

// RFC 3463, 3.2 to 3.5: problems of the address itself. Not those of the sender (X.1.7, X.1.8), a full mailbox (X.2.2),
// and decisions about the email (X.7.*).
const addressCodes = /^5\.(?:1\.(?:0|1|2|3|4|6|10)|2\.1|4\.4)$/;
/** Codes that mail servers use when they have no specific one. */
const vagueCodes = /^5\.(?:[012345]\.0|4\.1|6\.\d{1,3}|7\.[01])$/;

// Phrases of mail servers, in lower case.
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
/** Phrases about the sender. The same response may also contain phrases about an address. */
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
/** Refers to an address; after the email's data, it can have any cause. */
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
/** The mail server refused the sender or the email, so its response is not about the address. */
const refusedLater = /(?:after|in reply to|reply to|response to) (?:the )?(?:end of data|mail from|data)/;
/** Gmail uses 5.2.1 both for a closed mailbox and for one that receives too much at a time. */
const atARate = 'at a rate that';

const MAX_WORDS = 2_000;

/** Returns the cause of a bounce, and its most specific code. */
export function judgeBounce({ status, diagnostic, notice }: BounceWords): JudgedBounce {
  const code = codeOf(status, diagnostic, notice);
  const said = plainWords(diagnostic === '' ? notice : diagnostic);
  const isLater = refusedLater.test(plainWords(notice)) || refusedLater.test(said);
  return { code, cause: causeOf(code, said, isLater) };
}

/** Whether a text contains the cause of a bounce. */
export const saysWhy = (words: string): boolean => {
  const said = plainWords(words);
  const known = [fullPhrases, senderPhrases, addressPhrases, blockedPhrases, [unavailable]];
  return known.some((phrases) => hasOne(said, phrases));
};

/**
 * Whether a permanent refusal is about the address, by its code alone: the enhanced status code if present, otherwise
 * the three digits (RFC 5321, 4.2.3).
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
  // Microsoft 365, for recipients who are not in its directory. With 5.7.1, the same text means a rule.
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

/** Returns the most precise code. X.0.0 is ignored if another code is present. */
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
