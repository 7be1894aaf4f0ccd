import type { dayHours as english } from './texts.en.ts';

export const dayHours: typeof english = {
  label: (day, spans) => `נשלח ב${day}: ${spans}`,
  never: (day) => `ב${day} לא נשלח דבר`,
  span: (from, to) => `${from} עד ${to}`,
  starts: (time) => `מתחיל ב־${time}.`,
  zone: (day, zone) => `${day}, באזור הזמן ${zone}.`,
  ofRecipients: 'השעות הן באזור הזמן של כל נמען.',
};
