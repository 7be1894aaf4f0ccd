import type { Language } from './language.ts';

/** Spoken words of the ten digits. */
export const digitWords: Readonly<Record<Language, readonly string[]>> = {
  he: ['אפס', 'אחת', 'שתיים', 'שלוש', 'ארבע', 'חמש', 'שש', 'שבע', 'שמונה', 'תשע'],
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  ar: ['صفر', 'واحد', 'اثنان', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة'],
  ru: ['ноль', 'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять'],
};

/** Spoken words of the other keys of a telephone. */
export const keyWords: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  he: { '+': 'פלוס', '*': 'כוכבית', '#': 'סולמית' },
  en: { '+': 'plus', '*': 'star', '#': 'hash' },
  ar: { '+': 'زائد', '*': 'نجمة', '#': 'مربع' },
  ru: { '+': 'плюс', '*': 'звёздочка', '#': 'решётка' },
};
