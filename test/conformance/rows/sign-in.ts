import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const signIn = inBothForms('sms-api/sign-in');
const tokens = inBothForms('sms-api/tokens-and-balance');
const stored = inFile('accounts/wallets');

/** Decisions, "Sign-in". */
export const signedIn: Chapter = {
  title: 'Sign-in',
  bothForms: true,
  rows: [
    row(
      'token',
      'a bearer token on every call; missing, unknown or revoked: 3',
      signIn('a token that is missing, unknown, revoked or no bearer token is 3'),
    ),
    row('token.expired', 'expired: 10', signIn("an expired token is 10, by the sandbox's clock")),
    row(
      'token.others',
      'not for this user name: 11; its own account and its subscribers are',
      signIn('a token is good for its account and its subscribers, for all others 11'),
      inBothForms('sms-api/isolation')(
        "an account's own token is for it and its subscribers only, upwards and sideways it is not",
      ),
    ),
    row(
      'token.stored',
      'of 256 random bits, kept as a digest alone',
      tokens('getApiToken makes tokens that work, and tells the caller its own, in both fields'),
      stored('a token is kept as a digest only'),
    ),
    row(
      'token.five',
      'five active tokens at most: 511 when people made them',
      tokens('the sixth token retires the one of getApiToken that was unused the longest'),
      stored('at most five tokens are valid at once, also when they are asked for at once'),
    ),
    row('username', '`user.username`: missing or empty: 2', signIn('without a user name it is 2')),
    row(
      'pays',
      'a subscriber that its parent acts for pays itself',
      signIn('a subscriber that its parent sends for pays itself'),
    ),
    row(
      'password',
      '`user.password` instead of a token, only where it is switched on',
      signIn('a password is taken only where that is switched on'),
    ),
    row('addresses', 'client addresses by CIDR; others: 3', signIn('client addresses')),
    row(
      'suspended',
      'a suspended account may look, and sends nothing: 5',
      signIn('a suspended account may look and not send'),
    ),
  ],
};
