/** Tokens of the mailing-list API. */
export const mailTokens = {
  title: 'Email tokens',
  lead: 'For the mailing-list API only. Five at most.',
  make: 'Create email token',
  submit: 'Create email token',
  newToken: 'New email token',
  none: 'No email tokens',
  tooMany: 'There are already five email tokens. Revoke one first.',
};
