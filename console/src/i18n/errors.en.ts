import type { RefusalCode } from '../../../server/kit/errors.ts';

/**
 * Error messages by error code; a code without a text does not compile. For `bad-field` and `not-now`, the reason or the
 * service gives the text.
 */
export const codes: Readonly<
  Record<
    Exclude<RefusalCode, 'bad-field' | 'not-now'> | 'connection' | 'timeout' | 'refused' | 'no-passkey',
    string
  >
> = {
  'no-passkey': 'The browser gave no passkey. Try again.',
  connection: 'The service does not answer. Check your connection, then try again.',
  timeout: 'The service does not answer. Check your connection, then try again.',
  refused: 'The request was refused.',
  unreadable: 'The request could not be read. Try again.',
  'signed-out': 'You have been signed out. Sign in again.',
  'token-expired': 'The token has expired.',
  'wrong-account': 'This belongs to another account.',
  'not-verified': 'This sender is not verified or approved for your account.',
  'source-not-verified':
    'This sender is not verified or approved for your account. Request it under Senders.',
  'no-credit': 'Not enough credit.',
  'try-again': 'The service cannot do this right now. Try again in a moment.',
  'several-messages': 'Give one message.',
  'all-blocked': 'All numbers are on the blacklist.',
  'all-filtered': 'All recipients had a message in the days that you excluded.',
  'bad-destination': 'This is not a phone number that can be sent to.',
  'bad-token-action': 'This cannot be done with a token.',
  'unknown-user': 'There is no such user name.',
  'no-token': 'There is no such token.',
  'no-phones': 'Enter at least one number.',
  'not-allowed': 'Your role does not allow this.',
  'url-known': 'This address is registered already.',
  'bad-recent-days': 'Choose 1 to 14 days.',
  'bad-blacklist-entry': 'None of the numbers can be read.',
  'already-cancelled': 'This campaign was cancelled already.',
  'already-sent': 'This campaign has already finished.',
  'not-cancelled': 'This campaign can no longer be cancelled.',
  'unknown-campaign': 'There is no such campaign.',
  'unknown-list': 'There is no such list.',
  'bad-links': 'Each link needs an address and a place in the text.',
  'bad-dynamic-fields': 'Fields need exactly one contact list, and no single numbers.',
  'bad-message': 'The text is empty or too long.',
  'bad-source': 'A sender is a phone number, or a name of up to 11 letters and digits.',
  'over-credit': 'The wallet does not have that much credit.',
  'bad-amount': 'Enter an amount above 0, with at most four decimal places.',
  'bad-password': 'The password is too short or too long.',
  'username-taken': 'This user name is in use.',
  'bad-username': 'This user name cannot be used.',
  'bad-name': 'The name is too short or too long.',
  'unknown-command': 'The service does not know this command.',
  'key-reused': 'This send was changed after it was tried. Reload the page and send again.',
  'key-in-progress': 'The same send is still in progress. Wait a moment.',
  'too-large': 'This is too large.',
  'over-budget': 'This budget of the account is used up.',
  'too-fast': 'Too many requests. Wait a moment, then try again.',
  'unknown-source': 'The account has no such business number.',
  'unknown-template': 'The business number has no such template.',
  'template-not-usable': 'The template is not approved, is paused, or was removed.',
  'two-unanswered': 'The recipient did not answer the last two templates. They have to write first.',
  'tier-reached': 'The messaging limit of the business number is reached. Try again tomorrow.',
  'window-closed': 'The 24 hours since the last message of the recipient are over. Send a template.',
  blacklisted: 'The recipient wants no marketing messages. Use a template of another category.',
  'never-written': 'The recipient has never written. Send a template.',
  'bad-variables': 'Fill in every variable of the template.',
  'bad-variable-text': 'A variable cannot have line breaks, tabs or four spaces in a row.',
  'bad-header': 'The link of the header is missing, too large, or cannot be fetched.',
  'bad-header-type': 'The link of the header leads to another type of file than the template has.',
  'bad-website-variable': 'Fill in the end of the button’s address, without spaces.',
  'too-long': 'The text is over 1,024 characters with its variables.',
  'bad-coupon': 'A coupon code has 1 to 15 digits, and its end is in the future.',
  'bad-otp': 'Enter the code, up to 15 characters.',
  'bad-reply': 'There is no such message to reply to.',
  suspended: 'The account is suspended.',
  'wrong-password': 'The password is wrong.',
  'wrong-code': 'Wrong code. Codes change every 30 seconds.',
  'proof-needed': 'Confirm your identity to continue, then try again.',
  'second-factor-required': 'Set up a second factor first. It is required here.',
  'link-over': 'This link was already used or has expired.',
  'not-found': 'This does not exist or was deleted.',
};

type Params = Readonly<Record<string, string | number>>;

/** Reasons that forms find themselves, before a request. */
export type FormReason =
  | 'missing'
  | 'wrong-format'
  | 'too-long'
  | 'too-large'
  | 'too-small'
  | 'not-an-address'
  | 'not-a-web-address'
  | 'not-a-date'
  | 'no-hours'
  | 'no-emoji'
  | 'no-target'
  | 'same-button'
  | 'media-address'
  | 'too-many-lines'
  | 'text-of-all-cards';

export type ReasonText = (params: Params) => string;

/** Problems that forms find themselves. The others are in reason-texts.en.ts. */
const reasons: Readonly<Record<FormReason, ReasonText>> = {
  missing: () => 'Fill in this field.',
  'wrong-format': () => 'This value has the wrong form.',
  'too-long': ({ max }) => (max === 1 ? 'One character at most.' : `${max} characters at most.`),
  'too-large': ({ max }) => `${max} at most.`,
  'too-small': ({ min }) => `At least ${min}.`,
  'no-hours': () => 'Give at least one day hours.',
  'not-a-date': () => 'Enter a date.',
  'same-button': () => 'Another button has the same.',
  'no-emoji': () => 'A button that opens something cannot have emoji.',
  'no-target': () => 'Enter an https address, a phone number or an email address.',
  'text-of-all-cards': () => 'Another card has a text. Give all cards a text, or none.',
  'too-many-lines': ({ max }) => `${max} lines at most.`,
  'media-address': () => 'Enter an address that begins with https://.',
  'not-an-address': () => 'This is not an email address.',
  'not-a-web-address': () => 'Enter an address that begins with http:// or https://.',
};

export const errors = {
  fault: 'The service failed.',
  codes: codes as Readonly<Record<string, string>>,
  reasons,
  /** Problem for which the console has no text: the text of the service. */
  unknown: (message: string) => message.charAt(0).toUpperCase() + message.slice(1),
  entry: (number: number, problem: string) => `Entry ${number}: ${problem}`,
};
