/** One-time links with which people choose their password. */
export const invitations = {
  title: (name: string) => `Invitation for ${name}`,
  text: 'Send the invitation over a secure channel. It works once and is not shown again.',
  mailed: (address: string) => `The invitation was sent to ${address}. It works once.`,
  link: 'Invitation',
  until: 'Valid until',
  kept: 'I have copied it',
  close: 'Done',
};
