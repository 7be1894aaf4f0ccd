/** The dialog that asks for a proof of identity. */
export const proof = {
  title: 'Confirm your identity',
  lead: 'This action needs a confirmation. It lasts five minutes.',
  password: 'Your password',
  code: 'Code from your authenticator app',
  codeHint: 'Six digits, or one of your recovery codes',
  confirm: 'Confirm',
  usePasskey: 'Use a passkey',
  useProvider: 'Sign in again',
  providerHint:
    'You sign in with your organization. Its sign-in page opens; then you return here and repeat the action.',
  none: 'You have no password, passkey or authenticator app. Sign out and in again.',
};
