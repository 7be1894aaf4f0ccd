import type { messageActions as en } from './message-action-texts.en.ts';

export const messageActions: typeof en = {
  chat: 'שליחת הודעת צ׳אט',
  sms: 'שליחת SMS',
};
