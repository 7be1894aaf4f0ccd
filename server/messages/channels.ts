/** `channel` of shipments and messages. */
export const channels = { sms: 0, chat: 1, mail: 2, voice: 3 } as const;
export type Channel = (typeof channels)[keyof typeof channels];
