/** Other channels to the recipient of a message. */
export const messageActions = {
  chat: 'Send a chat message',
  sms: 'Send an SMS',
};
