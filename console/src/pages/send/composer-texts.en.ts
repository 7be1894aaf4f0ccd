/** Sections of the composer, prices of the channels, and what is shown before a send. */
export const composer = {
  content: 'Content',
  schedule: 'Schedule',
  prices: {
    sms: (price: string) => `${price} per part`,
    chat: (price: string) => `${price} per conversation`,
    mail: (price: string) => `${price} each`,
    voice: (price: string) => `${price} per answered call`,
    code: (price: string) => `${price} per part`,
  },
  balanceAfter: 'Balance after',
  testToPhone: 'Send to this phone',
  testToAddresses: 'Send to these addresses',
};
