import { chapter, row } from '../row.ts';

/** Decisions, "Sign-in". */
export const signedIn = chapter({
  key: 'signIn',
  title: 'Sign-in',
  bothForms: true,
  rows: [
    row('token', 'a bearer token on every call; missing, unknown or revoked: 3'),
    row('token.expired', 'expired: 10'),
    row('token.others', 'not for this user name: 11; its own account and its subscribers are'),
    row('token.stored', 'of 256 random bits, kept as a digest alone'),
    row('token.five', 'five active tokens at most: 511 when people made them'),
    row('username', '`user.username`: missing or empty: 2'),
    row('pays', 'a subscriber that its parent acts for pays itself'),
    row('password', '`user.password` instead of a token, only where it is switched on'),
    row('addresses', 'client addresses by CIDR; others: 3'),
    row('suspended', 'a suspended account may look, and sends nothing: 5'),
  ],
});
